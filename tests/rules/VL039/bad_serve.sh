#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 1.2 \
    --max-model-len 8192
