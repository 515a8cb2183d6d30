#!/bin/bash
vllm serve Qwen/Qwen3-8B \
    --tensor-parallel-size 2 \
    --max-model-len 8192 \
    --gpu-memory-utilization 0.9 \
    --max-model-len 32768
