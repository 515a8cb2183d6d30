#!/bin/bash
CUDA_VISIBLE_DEVICES=0,1 trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 2 &
CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --num_processes 4 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_funcs think_format_reward \
    --per_device_train_batch_size 2 --num_generations 8 \
    --use_vllm true --vllm_mode server \
    --output_dir out
