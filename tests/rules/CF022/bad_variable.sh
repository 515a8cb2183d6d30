#!/bin/bash
# The port slipped into the number of devices.
TP=${TP:-8000/tcp}
vllm serve Qwen/Qwen3-8B \
    --port 8000 \
    --tensor-parallel-size $TP \
    --gpu-memory-utilization 0.9 \
    --max-model-len 32768
