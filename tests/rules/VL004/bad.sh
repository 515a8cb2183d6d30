#!/bin/bash
set -e
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size 2 \
    --gpu-memory-utilization 0.85 \
    --max-num-seqs 1024 \
    --max-num-batched-tokens 512
