#!/bin/bash
# A name with the moment in it.
STAMP=$(date +%s)
NAME="qwen_$(date '+%Y-%m-%d')_$STAMP"
python train.py --name "$NAME" --lr 1
