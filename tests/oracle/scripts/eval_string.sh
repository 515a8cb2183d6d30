#!/bin/bash
# eval parses its words again.
CMD="python train.py --a '1 2' --b \$N"
N=3
eval $CMD
eval "python train.py --c \"$N\"" --d
