#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
accelerate launch --config_file configs/fsdp.yaml -m trl.scripts.sft \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/Capybara \
    --learning_rate 1e-5 \
    --output_dir out \
    --use_peft true \
    --load_in_4bit true \
    --dtype bfloat16 \
    --bnb_4bit_quant_storage bfloat16
