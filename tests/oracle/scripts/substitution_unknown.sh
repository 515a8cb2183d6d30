#!/bin/bash
# What only the machine or the moment knows stays unknown.
# unknown: command:nvidia-smi command:hostname
N=$(nvidia-smi -L | wc -l)
NAME=run-$(date +%Y%m%d-%H%M)
HOST=$(hostname -i)
python train.py --gpus $N --name "$NAME" --host=$HOST --lr 1
