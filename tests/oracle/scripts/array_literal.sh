#!/bin/bash
# Arrays of options with comments between the items.
ARGS=(
  --tensor-model-parallel-size 2   # first
  # --pipeline-model-parallel-size 4
  --micro-batch-size 1
  "--note=two words"
)
torchrun --nproc_per_node 8 pretrain_gpt.py "${ARGS[@]}"
