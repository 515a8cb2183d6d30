#!/bin/bash
set -e
vllm serve Qwen/Qwen3-30B-A3B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --enable-expert-parallel \
    --enable-eplb
