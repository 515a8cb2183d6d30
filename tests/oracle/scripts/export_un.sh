#!/bin/bash
# export -n takes the mark away; declare -x gives it.
export A=1 B=2
export -n A
declare -x C="three words here"
python train.py --a $A
