#!/bin/bash
set -e
export VLLM_ALLOW_LONG_MAX_MODEL_LEN=1
vllm serve Qwen/Qwen2.5-Math-7B-Instruct \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --max-model-len 16384
