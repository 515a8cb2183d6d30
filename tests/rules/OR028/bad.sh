#!/bin/bash
set -x
deepspeed --num_gpus 8 --module openrlhf.cli.train_sft \
   --model.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
   --data.dataset data/sft.jsonl \
   --train.batch_size 64 \
   --train.micro_batch_size 2 \
   --ds.zero_stage 3 \
   --ds.param_dtype bf16 \
   --adam.lr 5e-6 \
   --ckpt.output_dir ckpt/sft \
   --ds.ring_attn_size 2
