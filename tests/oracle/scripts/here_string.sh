#!/bin/bash
# Here-strings for read.
read A B <<< "first second third"
IFS=: read -r C D <<< "x:y"
python train.py "$A" "$B" "$C" "$D"
