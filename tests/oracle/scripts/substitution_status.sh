#!/bin/bash
# The result of a substitution in a condition.
if [ "$(echo grpo | tr a-z A-Z)" = GRPO ]; then A=1; fi
[[ $(basename /x/grpo.sh) == *.sh ]] && B=2
python train.py --a $A --b $B
