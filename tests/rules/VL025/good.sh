#!/bin/bash
set -e
vllm serve Qwen/Qwen2.5-Math-7B-Instruct \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --max-model-len 4096
