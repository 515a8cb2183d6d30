#!/bin/bash
vllm serve Qwen/Qwen2.5-7B-Instruct \
    --port 8000 \
    --tensor-parallel-size 2 \
    --max-model-len 8192 \
    --gpu-memory-utilization 0.85 \
    --enable-lora \
    --max-lora-rank 32
