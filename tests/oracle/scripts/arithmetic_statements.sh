#!/bin/bash
# (( )), let, += on integers, increments.
i=3
((i++))
(( i += 10, j = i * 2 ))
let "k = j - 1"
declare -i n=5
n+=2
n=n*3
python train.py --i $i --j $j --k $k --n $n
