#!/bin/bash
# A line of nothing but assignments sets them, several at once.
TP=2 PP=4 DP=8
python train.py --tp $TP --pp $PP --dp $DP
