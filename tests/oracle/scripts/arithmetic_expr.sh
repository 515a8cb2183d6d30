#!/bin/bash
# expr and division of strings.
A=$(expr 12 / 4)
B=$(expr $A + 2)
C=`expr $A \* 3`
python train.py --a $A --b $B --c $C
