#!/bin/bash
accelerate launch --num_processes 8 --mixed_precision fp8 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_model_name_or_path Skywork/Skywork-Reward-V2-Qwen3-4B \
    --num_generations 8 \
    --output_dir out
