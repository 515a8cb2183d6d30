#!/bin/bash
# A backslash on the very last line of the file.
python train.py --lr 1e-6 \
  --epochs 2 \
