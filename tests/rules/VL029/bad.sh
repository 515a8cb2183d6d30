#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --cudagraph-capture-sizes 1 2 4 8 \
    --compilation-config '{"cudagraph_capture_sizes": [1, 8, 64]}'
