#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --enable-lora \
    --max-loras 8 \
    --max-lora-rank 64
