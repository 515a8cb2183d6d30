#!/bin/bash
# Numbers made at run time.
PORT=$((20000 + RANDOM % 1000))
python train.py --port $PORT --seed $RANDOM --lr 1
