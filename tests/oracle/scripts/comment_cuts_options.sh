#!/bin/bash
# A comment line inside a continued command ends it; what follows is another command.
python train.py --lr 1e-6 \
  # --warmup 10 \
  --epochs 3
true
