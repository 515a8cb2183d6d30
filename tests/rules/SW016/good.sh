#!/bin/bash
CUDA_VISIBLE_DEVICES=0,1,2,3 \
swift rollout \
    --model Qwen/Qwen2.5-7B-Instruct \
    --vllm_tensor_parallel_size 2 \
    --vllm_data_parallel_size 2 \
    --vllm_max_model_len 8192
