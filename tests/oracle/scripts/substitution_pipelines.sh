#!/bin/bash
# Small pipelines over known text.
LIST="a:b:c"
F=$(echo $LIST | cut -d: -f2)
N=$(echo "$LIST" | tr ':' ' ' | wc -w)
S=$(seq -s, 1 4)
R=$(echo "1 2 3" | tr ' ' ',')
python train.py --f $F --n $N --s $S --r $R
