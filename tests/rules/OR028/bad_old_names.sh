#!/bin/bash
set -x
deepspeed --num_gpus 8 --module openrlhf.cli.train_sft \
   --pretrain Qwen/Qwen2.5-7B-Instruct \
   --dataset data/sft.jsonl \
   --train_batch_size 64 \
   --micro_train_batch_size 2 \
   --zero_stage 3 \
   --bf16 \
   --learning_rate 5e-6 \
   --save_path ckpt/sft \
   --ring_attn_size 2
