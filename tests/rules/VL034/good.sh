#!/bin/bash
set -e
export VLLM_SERVER_DEV_MODE=1
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --enable-sleep-mode \
    --max-model-len 8192
