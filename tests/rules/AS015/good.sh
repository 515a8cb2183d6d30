#!/bin/bash
export DYNAMIC_EPLB=true
vllm serve Qwen/Qwen3-30B-A3B \
    --tensor-parallel-size 4 \
    --enable-expert-parallel \
    --additional-config '{"eplb_config": {"dynamic_eplb": true}}'
