#!/bin/bash
# Small wrappers in a chain.
nohup env A=1 B="two words" nice -n 3 python train.py --a > /dev/null 2>&1
timeout 60 stdbuf -oL python -u train.py --b
env -u HOME C=3 python train.py --c
