#!/usr/bin/env bash
# one node
export NCCL_DEBUG=WARN
NUM_GPUS=${NUM_GPUS:-1}
deepspeed --num_gpus $NUM_GPUS train.py \
    --model Qwen/Qwen2.5-7B \
    --deepspeed_config ds/overlap.json
