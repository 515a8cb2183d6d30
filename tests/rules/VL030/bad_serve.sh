#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --enforce-eager \
    --compilation-config '{"cudagraph_mode": "FULL_DECODE_ONLY"}'
