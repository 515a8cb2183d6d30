#!/bin/bash
torchrun --nproc_per_node 8 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/DeepMath-103K \
    --output_dir qwen-grpo \
    --per_device_train_batch_size 8 \
    --num_generations 8 \
    --bf16 True \
    --deepspeed configs/zero2.json
