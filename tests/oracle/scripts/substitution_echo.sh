#!/bin/bash
# Command substitution of what can be computed.
A=$(echo one   two)
B=`echo "x  y"`
C=$(printf '%s-%03d' run 7)
D=$(printf '%s\n' l1 l2 | head -n 1)
E=$(echo "a,b,c" | tr ',' '\n' | wc -l)
python train.py --a "$A" --b "$B" --c $C --d $D --e $E --n $(echo -n z) $(echo p q)
