#!/bin/bash
export PYTORCH_NPU_ALLOC_CONF=expandable_segments:False
NPROC_PER_NODE=8 ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --reward_funcs accuracy format \
    --use_vllm true \
    --vllm_mode colocate \
    --sleep_level 1 \
    --train_type full \
    --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size 4 \
    --num_generations 8 \
    --deepspeed zero2
