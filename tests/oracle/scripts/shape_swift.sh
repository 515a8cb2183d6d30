#!/bin/bash
# ms-swift: environment before the command, lists of values.
MAX_PIXELS=602112 \
CUDA_VISIBLE_DEVICES=0,1,2,3 \
NPROC_PER_NODE=4 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-VL-3B-Instruct \
    --reward_funcs external_accuracy format \
    --vllm_limit_mm_per_prompt '{"image": 5, "video": 2}' \
    --dataset AI-MO/NuminaMath-TIR#1000 \
    --log_completions true
