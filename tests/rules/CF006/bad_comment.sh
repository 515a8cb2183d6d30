#!/bin/bash
accelerate launch --num_processes 8 --num_machines 1 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --deepspeed ds/zero2.json \
    --bf16 true \
    --per_device_train_batch_size 4 \
    --num_generations 8 \
    --output_dir out
