#!/bin/bash
set -e
NODES=3
vllm serve Qwen/Qwen3-32B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --tensor-parallel-size 8 \
    --nnodes $NODES \
    --node-rank 0 \
    --master-addr 10.0.0.1
