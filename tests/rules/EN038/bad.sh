#!/bin/bash
accelerate launch --num_machines 2 --num_processes 16 --main_process_ip 10.0.0.1 --main_process_port 29500 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_model_name_or_path Skywork/Skywork-Reward-V2-Qwen3-4B \
    --per_device_train_batch_size 8 \
    --num_generations 8 \
    --output_dir out
