#!/bin/bash
# Brace ranges, seq and the C form.
S=""
for i in {1..3}; do S="$S$i,"; done
for i in $(seq 2 4); do S+="$i;"; done
for ((i = 0; i < 6; i += 2)); do S+="${i}."; done
python train.py --s "$S"
