#!/bin/bash
export OMP_NUM_THREADS=8
CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node 8 --nnodes 1 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
    --dataset_name trl-lib/tldr \
    --num_generations 8 \
    --output_dir out
