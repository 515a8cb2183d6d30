#!/bin/bash
export CUDA_VISIBLE_DEVICES=0,1,2,3
vllm serve Qwen/Qwen3-30B-A3B \
    --tensor-parallel-size 4 \
    --max-model-len 32768 \
    --gpu-memory-utilization 0.9 \
    --port 8000
