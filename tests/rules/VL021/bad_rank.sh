#!/bin/bash
set -e
export VLLM_ALLOW_RUNTIME_LORA_UPDATING=True
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --max-lora-rank 64
