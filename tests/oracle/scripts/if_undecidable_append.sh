#!/bin/bash
# Options added under a condition nobody can decide.
ARGS=(--a 1)
if nvidia-smi > /dev/null 2>&1; then ARGS+=(--flash --c 3); fi
python train.py "${ARGS[@]}" --z
