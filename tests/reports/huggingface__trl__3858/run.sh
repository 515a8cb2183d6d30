#!/bin/bash
accelerate launch --config_file zero3.yaml -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --dataset_name trl-lib/tldr --reward_funcs think_format_reward \
    --per_device_train_batch_size 4 --num_generations 8 \
    --ds3_gather_for_generation false \
    --bf16 true --gradient_checkpointing true \
    --output_dir out
