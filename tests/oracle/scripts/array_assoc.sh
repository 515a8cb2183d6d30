#!/bin/bash
# Associative arrays.
declare -A LR=([small]=1e-5 [large]=1e-6)
LR[huge]=5e-7
SIZE=large
python train.py --lr "${LR[$SIZE]}" --other ${LR[huge]} --count ${#LR[@]}
