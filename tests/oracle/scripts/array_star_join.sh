#!/bin/bash
# [*] in quotes joins with the first character of IFS.
P=(1 0 1 1)
OLD=$IFS
IFS=,
FREQ="[${P[*]}]"
IFS=$OLD
python train.py --moe-layer-freq "$FREQ" --plain "${P[*]}"
