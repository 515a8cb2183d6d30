#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
trl sft \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/Capybara \
    --learning_rate 1e-5 \
    --output_dir out \
    --padding_free true \
    --packing true
