#!/bin/bash
# Text for bash -c, with arguments and inherited exports.
export LR=1e-6
bash -c "python train.py --lr $LR"
bash -c 'python train.py --lr $LR --zero "$0" --one "$1"' name first
