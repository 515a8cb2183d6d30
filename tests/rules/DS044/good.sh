#!/bin/bash
accelerate launch --num_processes 8 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --output_dir out \
    --per_device_train_batch_size 8 \
    --gradient_accumulation_steps 4 \
    --num_generations 8 \
    --max_completion_length 512 \
    --learning_rate 1e-6 \
    --bf16 true \
    --deepspeed configs/ds.json \
    --gradient_checkpointing true
