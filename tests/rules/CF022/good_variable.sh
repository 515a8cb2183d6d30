#!/bin/bash
# Weights fit on two devices.
TP=${TP:-2}
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size $TP \
    --gpu-memory-utilization 0.9 \
    --max-model-len 32768
