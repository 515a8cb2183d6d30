#!/bin/bash
accelerate launch --config_file fsdp.yaml -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --dataset_name trl-lib/tldr \
    --per_device_train_batch_size 2 --num_generations 8 \
    --use_vllm true \
    --output_dir out
