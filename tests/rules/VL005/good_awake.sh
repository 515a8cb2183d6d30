#!/usr/bin/env bash
export VLLM_SERVER_DEV_MODE=1
MODEL=${MODEL:-Qwen/Qwen3-8B}
vllm serve $MODEL \
    --host 0.0.0.0 \
    --port 8000 \
    --max-model-len 8192 \
    --gpu-memory-utilization 0.85
