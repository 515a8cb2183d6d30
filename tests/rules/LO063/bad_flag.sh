#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
accelerate launch --num_processes 8 --num_machines 1 --mixed_precision bf16 --use_fsdp --fsdp_version 1 -m trl.scripts.sft \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/Capybara \
    --learning_rate 1e-5 \
    --output_dir out \
    --use_peft true \
    --load_in_4bit true \
    --bnb_4bit_quant_storage uint8
