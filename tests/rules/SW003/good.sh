#!/bin/bash
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
megatron rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --tuner_type full \
    --torch_dtype bfloat16 \
    --dataset my/maths \
    --reward_funcs accuracy \
    --use_vllm true \
    --vllm_mode colocate \
    --vllm_gpu_memory_utilization 0.4 \
    --sleep_level 2 \
    --num_generations 8 \
    --max_length 2048 \
    --max_completion_length 4096 \
    --tensor_model_parallel_size 2 \
    --micro_batch_size 2 \
    --global_batch_size 64 \
    --lr 1e-6 \
    --offload_model true \
    --output_dir megatron_output
