#!/bin/bash
# Arithmetic with an unknown is unknown, the rest is not.
# unknown: arithmetic:env:GPUS
TOTAL=$((GPUS * 2))
python train.py --total $TOTAL --batch $((4 * 16))
