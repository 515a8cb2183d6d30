#!/bin/bash
#SBATCH --job-name=grpo
set -euo pipefail
accelerate launch --num_processes 24 --num_machines 3 --machine_rank $RANK --main_process_ip 10.0.0.1 --main_process_port 29500 --mixed_precision bf16 -m trl.scripts.sft \
    --model_name_or_path Qwen/Qwen2.5-1.5B \
    --dataset_name trl-lib/Capybara \
    --learning_rate 1e-5 \
    --output_dir out
