#!/bin/bash



vllm serve Qwen/Qwen3-8B \
    --tensor-parallel-size 2 \
    --max-model-len 16384 \
    --additional-config '{"xlite_graph_confg": {"enabled": true}, "enable_cpu_binding": true}'
