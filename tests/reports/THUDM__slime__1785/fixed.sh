#!/bin/bash
ROLLOUT_ARGS=(
   --prompt-data /data/train.parquet
   --input-key prompt
   --label-key reward_model
   --apply-chat-template
   --num-rollout 1
   --rollout-batch-size 32
   --n-samples-per-prompt 8
   --global-batch-size 256
   --balance-data
)
EVAL_ARGS=(
   --eval-interval 25
   --eval-prompt-data nq /data/test.parquet
   --n-samples-per-eval-prompt 1
)
python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate \
   --hf-checkpoint /root/Qwen2.5-3B --ref-load /root/Qwen2.5-3B_torch_dist \
   "${ROLLOUT_ARGS[@]}" "${EVAL_ARGS[@]}"
