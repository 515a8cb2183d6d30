#!/bin/bash
export WANDB_PROJECT=grpo
accelerate launch --num_processes 4 --num_machines 1 --mixed_precision bf16 \
    -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/DeepMath-103K \
    --output_dir out \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 2 \
    --num_generations 8 \
    --bf16 true
