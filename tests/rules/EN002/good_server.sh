#!/bin/bash
set -e
export CUDA_VISIBLE_DEVICES=6,7
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size 2
