#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size 2 \
    --gpu-memory-utilization 0.85 \
    --enable-lora \
    --max-lora-rank 64
