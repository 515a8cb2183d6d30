#!/bin/bash
# Comparisons of variables that nobody sets: both arms are read, under a condition.
# unknown: env:NODE_RANK argument:$1
if [ "$NODE_RANK" = 0 ]; then
  python train.py --role head
else
  python train.py --role worker --rank "$NODE_RANK"
fi
if [[ $NODE_RANK -eq 0 ]]; then
  python train.py --stage 2 --lr 1e-6
fi
case "$1" in
  32B) python train.py --size 32B --tp 8 ;;
  *) python train.py --size "$1" --tp 2 ;;
esac
[ "$NODE_RANK" != 0 ] && python train.py --role second
python train.py --last 1
