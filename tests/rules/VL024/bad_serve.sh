#!/bin/bash
set -e
TP=8
vllm serve Qwen/Qwen2.5-1.5B-Instruct \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --tensor-parallel-size $TP
