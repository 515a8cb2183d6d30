#!/bin/bash
# A variable named by another one.
SMALL_LR=1e-5
KEY=SMALL_LR
python train.py --lr ${!KEY}
