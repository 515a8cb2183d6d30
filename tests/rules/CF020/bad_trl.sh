#!/bin/bash
# Installs what it needs.
pip install -q trl==1.16.0 transformers==5.24.0
trl grpo \
    --model_name_or_path Qwen/Qwen3-4B \
    --dataset_name trl-lib/DeepMath-103K \
    --output_dir out/grpo \
    --num_generations 8 \
    --per_device_train_batch_size 8 \
    --gradient_accumulation_steps 4 \
    --max_prompt_length 512 \
    --max_completion_length 1024 \
    --bf16 true \
    --learning_rate 1e-6
