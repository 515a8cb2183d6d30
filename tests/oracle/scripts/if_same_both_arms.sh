#!/bin/bash
# A condition nobody can decide whose arms agree on what matters.
# unknown: -
if nvidia-smi > /dev/null 2>&1; then DEVICE=cuda; N=8; else DEVICE=cpu; N=8; fi
python train.py --n $N
