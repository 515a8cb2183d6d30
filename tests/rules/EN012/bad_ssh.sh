#!/bin/bash
export VLLM_USE_MODELSCOPE=True
ssh node1 "cd /work && torchrun --nproc_per_node 2 -m trl.scripts.grpo --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct --dataset_name trl-lib/tldr --num_generations 8 --output_dir out"
