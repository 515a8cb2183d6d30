#!/bin/bash
# Several arrays in one launch, one of them empty.
MODEL_ARGS=(--num-layers 36 --hidden-size 4096)
ROLLOUT_ARGS=(--rollout-batch-size 32 --n-samples-per-prompt 8)
EMPTY_ARGS=()
python3 train.py ${MODEL_ARGS[@]} ${ROLLOUT_ARGS[@]} "${EMPTY_ARGS[@]}" ${EMPTY_ARGS[*]}
