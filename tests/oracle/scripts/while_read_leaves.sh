#!/bin/bash
# What read leaves behind when its input ends; a last line without its end is not a turn.
NAME=before
LR=before
while read -r NAME LR; do
  python train.py --name "$NAME" --lr "$LR"
done <<< "small 1e-5
large 1e-6"
python train.py --left "[$NAME][$LR]"
printf 'a\nb' | while read -r line; do python train.py --line "$line"; done
