#!/bin/bash
# A loop that writes a moe layer frequency, with a counter.
FIRST=3
ALL=12
arr=()
for ((i = 0; i < ALL; i++)); do
  if ((i < FIRST)); then arr+=(0); else arr+=(1); fi
done
printf -v FREQ "[%s]" "$(IFS=', '; echo "${arr[*]}")"
python3 train.py --moe-layer-freq "$FREQ"
