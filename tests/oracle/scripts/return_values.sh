#!/bin/bash
# The status of a function decides.
is_big() { [ "$1" -ge 30 ]; }
if is_big 32; then S=big; else S=small; fi
is_big 7 || T=no
python train.py $S $T
