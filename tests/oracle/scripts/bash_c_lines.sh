#!/bin/bash
# A longer text with quotes inside.
N=4
bash -c "
  export INNER=1
  cd . && python train.py \
     --n $N --name \"two words\" --own \$INNER
"
