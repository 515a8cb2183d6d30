#!/bin/bash
set -e
vllm serve Qwen/Qwen3-30B-A3B \
    --port 8000 \
    --gpu-memory-utilization 0.85 \
    --data-parallel-size 4 \
    --data-parallel-size-local 2 \
    --data-parallel-address 10.0.0.1 \
    --data-parallel-rpc-port 13345
