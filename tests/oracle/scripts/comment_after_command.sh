#!/bin/bash
# Comments behind commands and between lines are not arguments; a hash inside a word is.
N=4 # samples per prompt
python train.py --n $N --tag run#7 "#quoted" # trailing remark
