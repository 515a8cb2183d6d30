#!/bin/bash
# String comparisons, with patterns and without.
V=0.8.5
[[ $V == 0.8.* ]] && A=old
[[ "$V" == "0.8.*" ]] || B=literal
[ "$V" != 0.9 ] && C=differs
[[ $V < 0.9 ]] && D=less
python train.py $A $B $C $D
