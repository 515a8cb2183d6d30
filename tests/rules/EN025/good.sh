#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=gpu:8
srun torchrun --nnodes 2 --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint $HEAD:29500 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --reward_model_name_or_path Skywork/Skywork-Reward-V2-Qwen3-4B \
    --per_device_train_batch_size 8 \
    --num_generations 8 \
    --output_dir out
