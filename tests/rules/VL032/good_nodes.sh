#!/bin/bash
set -e
vllm serve Qwen/Qwen3-235B-A22B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --tensor-parallel-size 16 \
    --nnodes 2 \
    --node-rank 1 \
    --headless \
    --master-addr 10.0.0.1
