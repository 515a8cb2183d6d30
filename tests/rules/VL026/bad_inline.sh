#!/bin/bash
set -e
export CUDA_VISIBLE_DEVICES=0,1
VLLM_LOGGING_LEVELS=DEBUG vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --max-model-len 8192
