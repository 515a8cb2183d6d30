#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
accelerate launch --num_processes 8 --num_machines 1 --mixed_precision bf16 --use_fsdp --fsdp_version 2 --use_parallelism_config --parallelism_config_dp_replicate_size 2 --parallelism_config_dp_shard_size 8 -m trl.scripts.sft \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/Capybara \
    --learning_rate 1e-5 \
    --output_dir out
