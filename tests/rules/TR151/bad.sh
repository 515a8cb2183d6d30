#!/bin/bash
trl grpo --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_funcs think_format_reward \
    --per_device_train_batch_size 8 --num_generations 8 \
    --per_device_eval_batch_size 2 --num_generations_eval 2 \
    --eval_strategy steps --eval_steps 50 \
    --gradient_accumulation_steps 16 --num_processes 1 --output_dir out
