#!/bin/bash
trl grpo --model_name_or_path deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B \
    --dataset_name AI-MO/NuminaMath-TIR --reward_funcs accuracy_reward \
    --per_device_train_batch_size 8 --num_generations 8 --num_processes 1 \
    --max_completion_length 256 \
    --output_dir out
