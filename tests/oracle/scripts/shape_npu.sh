#!/bin/bash
# Ascend environment and a server in the background.
export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3
export HCCL_CONNECT_TIMEOUT=1500
export VLLM_ASCEND_ENABLE_NZ=0
nohup vllm serve /models/Qwen3-8B --served-model-name policy --tensor-parallel-size 4 --additional-config '{"ascend_scheduler_config":{"enabled":true}}' > /dev/null 2>&1 &
wait
