#!/bin/bash
ray job submit --address="http://127.0.0.1:8265" -- python3 train.py \
   --actor-num-nodes 2 \
   --actor-num-gpus-per-node 4 \
   --num-gpus-per-node 4 --colocate \
   --rollout-num-gpus-per-engine 2 \
   --hf-checkpoint /root/Qwen3-30B-A3B \
   --ref-load /root/Qwen3-30B-A3B_torch_dist \
   --prompt-data /root/dapo-math-17k.jsonl \
   --input-key prompt --label-key label --apply-chat-template --rm-type deepscaler \
   --num-rollout 300 --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256
