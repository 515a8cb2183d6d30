#!/bin/bash
set -e
export VLLM_ATTENTION_BACKEND=FLASHINFER
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --max-model-len 8192
