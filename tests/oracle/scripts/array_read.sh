#!/bin/bash
# read -ra splits a here-string into an array.
GPUS="0,1,2,3"
IFS=',' read -ra IDS <<< "$GPUS"
python train.py --n ${#IDS[@]} --last ${IDS[3]}
