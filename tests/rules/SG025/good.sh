#!/bin/bash
set -ex

MODEL_ARGS=(
   --num-layers 48
   --hidden-size 2048
   --num-attention-heads 32
)
ROLLOUT_ARGS=(
   --prompt-data /data/dapo-math-17k.jsonl
   --input-key prompt
   --label-key label
   --apply-chat-template
   --rm-type deepscaler
   --num-rollout 1000
   --rollout-batch-size 32
   --n-samples-per-prompt 8
   --rollout-max-response-len 8192
   --rollout-temperature 1
   --global-batch-size 256
)
SGLANG_ARGS=(
   --rollout-num-gpus-per-engine 8
   --sglang-mem-fraction-static 0.7
   --sglang-dp-size 8
   --sglang-enable-dp-attention
   --sglang-enable-dp-lm-head
)
ray job submit --address="http://127.0.0.1:8265" -- python3 train.py \
   --actor-num-nodes 1 \
   --actor-num-gpus-per-node 8 \
   --colocate \
   --hf-checkpoint /models/Qwen3-30B-A3B \
   --advantage-estimator grpo \
   --use-tis \
   ${MODEL_ARGS[@]} \
   ${ROLLOUT_ARGS[@]} \
   ${SGLANG_ARGS[@]}
