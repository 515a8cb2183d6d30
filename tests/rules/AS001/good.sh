#!/bin/bash
export ASCEND_RT_VISIBLE_DEVICES=0,1
export HCCL_CONNECT_TIMEOUT=1500

vllm serve Qwen/Qwen3-8B \
    --tensor-parallel-size 2 \
    --max-model-len 16384 \
    --additional-config '{"xlite_graph_config": {"enabled": true}, "enable_cpu_binding": true}'
