#!/bin/bash
# Home, user and path stay as symbols.
DATA=$HOME/data
export PYTHONPATH=/opt/code:${PYTHONPATH:-}
python train.py --data "$DATA/gsm8k" --out ${HOME}/ckpt
