#!/bin/bash
set -x
deepspeed --num_gpus 8 --module openrlhf.cli.train_kto \
   --pretrain Qwen/Qwen2.5-7B-Instruct \
   --dataset data/kto.jsonl \
   --train_batch_size 64 \
   --micro_train_batch_size 2 \
   --zero_stage 3 \
   --param_dtype bf16 \
   --learning_rate 5e-7 \
   --beta 0.1 \
   --save_path ckpt/kto
