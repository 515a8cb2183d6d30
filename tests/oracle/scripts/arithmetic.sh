#!/bin/bash
# Integer arithmetic in the shapes that appear.
NODES=4
GPUS=8
W=$((NODES * GPUS))
MINI=$(( W * 4 / 2 ))
python train.py --world $W --mini $MINI --odd $((7 % 3)) --pow $((2**10)) --neg $((-7/2)) --hex $((0x1F)) \
  --ternary $((W > 16 ? 1 : 2)) --logic $((W && !0)) --shift $((1 << 4 | 3)) --dollar $(($NODES+$GPUS)) --base $((2#101))
