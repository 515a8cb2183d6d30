#!/bin/bash
# One launch for every item.
for LR in 1e-6 5e-7; do
  for N in 4 8; do
    python train.py --lr $LR --n $N --name run_${LR}_$N
  done
done
