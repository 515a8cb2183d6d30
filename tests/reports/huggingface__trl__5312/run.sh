#!/bin/bash
trl grpo --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr --reward_funcs think_format_reward \
    --per_device_train_batch_size 8 --num_generations 8 --num_processes 1 \
    --use_vllm true --vllm_mode colocate --vllm_enable_sleep_mode true \
    --output_dir out
