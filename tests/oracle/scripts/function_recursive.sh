#!/bin/bash
# A function that calls itself, to a known end.
S=
count() { if (( $1 > 0 )); then S="$S$1"; count $(($1 - 1)); fi; }
count 3
python train.py --s $S
