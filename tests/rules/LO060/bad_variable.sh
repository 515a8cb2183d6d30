#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
Q=True
trl dpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/ultrafeedback_binarized \
    --learning_rate 1e-6 \
    --output_dir out \
    --load_in_8bit $Q
