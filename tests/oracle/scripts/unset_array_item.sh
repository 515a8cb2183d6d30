#!/bin/bash
# Taking items away.
A=(a b c d)
unset 'A[1]'
python train.py "${A[@]}" ${#A[@]}
