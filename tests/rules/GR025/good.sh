#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
accelerate launch --num_processes 8 --num_machines 1 --mixed_precision bf16 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --per_device_train_batch_size 8 \
    --gradient_accumulation_steps 4 \
    --num_generations 8 \
    --learning_rate 1e-6 \
    --output_dir out \
    --bf16 true \
    --loss_type dapo \
    --max_steps 1000 \
    --warmup_steps 50
