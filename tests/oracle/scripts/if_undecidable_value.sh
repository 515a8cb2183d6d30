#!/bin/bash
# A condition nobody can decide whose arms differ: one value of two.
# unknown: branch:4
if nvidia-smi > /dev/null 2>&1; then DEVICE=cuda; else DEVICE=cpu; fi
python train.py --n 8 --device $DEVICE --end
