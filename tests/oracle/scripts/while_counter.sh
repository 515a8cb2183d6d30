#!/bin/bash
# while and until over counters.
i=0
OUT=
while [ $i -lt 3 ]; do OUT="$OUT$i"; i=$((i + 1)); done
until ((i == 0)); do ((i--)); OUT+=-; done
python train.py --out $OUT --i $i
