#!/bin/bash
# while read over a here-document: one launch a line.
while IFS=' ' read -r name lr rest; do
  python train.py --name "$name" --lr "$lr" --rest "$rest"
done <<TABLE
small 1e-5 a b
large 1e-6
TABLE
