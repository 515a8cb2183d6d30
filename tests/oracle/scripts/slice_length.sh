#!/bin/bash
# Slices and lengths, negative ones as well.
S=abcdefgh
N=2
python train.py ${S:2} ${S:1:3} ${S: -3} ${S: -3:2} ${S:N:N+1} ${S:0:-2} ${#S}
