#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size 2 \
    --gpu-memory-utilization 0.85 \
    --max-model-len 32768 \
    --max-num-batched-tokens 8192
