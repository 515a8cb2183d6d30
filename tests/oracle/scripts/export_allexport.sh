#!/bin/bash
# set -a marks every assignment until set +a.
set -a
RANK_HINT=0
WORLD_HINT=8
set +a
NOT_MARKED=1
python train.py --world $WORLD_HINT
