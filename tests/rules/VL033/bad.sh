#!/bin/bash
set -e
vllm serve google/gemma-3-12b-it \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --dtype half \
    --max-model-len 8192
