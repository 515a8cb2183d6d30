#!/bin/bash
# A guard that leaves the script when something is missing.
if [ ! -d "$(dirname "$0")" ]; then
  echo "no folder"
  exit 1
fi
MODEL=m
[ -n "$MODEL" ] || { echo usage; exit 2; }
python train.py --model $MODEL
