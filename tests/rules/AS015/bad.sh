#!/bin/bash
export VLLM_ASCEND_ENABLE_NZ=0
vllm serve Qwen/Qwen3-30B-A3B \
    --tensor-parallel-size 4 \
    --enable-expert-parallel \
    --additional-config '{"eplb_config": {"dynamic_eplb": true}}'
