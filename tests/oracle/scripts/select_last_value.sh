#!/bin/bash
# The last assignment counts; a loop variable keeps its last value.
LR=1
LR=2
for LR in 3 4; do :; done
python train.py --lr $LR
