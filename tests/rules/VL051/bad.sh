#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --tool-call-parser hermes \
    --max-model-len 16384
