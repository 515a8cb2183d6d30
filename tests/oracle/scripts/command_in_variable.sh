#!/bin/bash
# The command itself stands in a variable or an array.
RUN="python -m verl.trainer.main_ppo"
$RUN a=1
CMD=(torchrun --nproc_per_node 2 train.py)
CMD+=(--b 2)
"${CMD[@]}"
PY=python3
$PY train.py --c
