#!/bin/bash
accelerate launch --num_processes 4 --num_machines 1 --use_deepspeed --zero_stage 2 \
    --offload_optimizer_device none --offload_param_device none --mixed_precision bf16 \
    -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen3-8B \
    --dataset_name trl-lib/tldr \
    --output_dir out/qwen3-8b \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 4 \
    --num_generations 8 \
    --max_completion_length 512 \
    --learning_rate 1e-6 \
    --bf16 true \
    --optim adamw_bnb_8bit
