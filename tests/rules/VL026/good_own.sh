#!/bin/bash
set -e
export VLLM_HOST_IPS=0.0.0.0
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --host $VLLM_HOST_IPS
