#!/bin/bash
# A script of one's own: the release in use is not known here, and its trainer may count otherwise.
accelerate launch --num_processes 3 --num_machines 1 --mixed_precision bf16 train_grpo.py \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/DeepMath-103K \
    --output_dir out \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 2 \
    --num_generations 8 \
    --max_completion_length 1024 \
    --beta 0.01 \
    --bf16 true
