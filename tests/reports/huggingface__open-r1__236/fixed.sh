#!/bin/bash
accelerate launch --num_processes 3 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name AI-MO/NuminaMath-TIR \
    --reward_funcs think_format_reward \
    --per_device_train_batch_size 8 \
    --use_vllm true --vllm_mode server \
    --output_dir out
