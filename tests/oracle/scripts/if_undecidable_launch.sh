#!/bin/bash
# A launch that only happens under a condition nobody can decide.
if nvidia-smi > /dev/null 2>&1; then
  python warmup.py --a 1
fi
python train.py --b 2
