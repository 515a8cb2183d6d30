#!/bin/bash
MIRROR=hf.example.org/
export HF_ENDPOINT="$MIRROR"
torchrun --nproc_per_node 8 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_model_name_or_path Skywork/Skywork-Reward-V2-Qwen3-4B \
    --per_device_train_batch_size 8 \
    --num_generations 8 \
    --output_dir out
