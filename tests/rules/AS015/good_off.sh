#!/bin/bash
vllm serve Qwen/Qwen3-30B-A3B \
    --tensor-parallel-size 4 \
    --additional-config '{"eplb_config": {"dynamic_eplb": false}}'
