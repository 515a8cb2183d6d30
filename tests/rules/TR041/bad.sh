#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
trl dpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/ultrafeedback_binarized \
    --learning_rate 1e-6 \
    --output_dir out \
    --padding_free true
