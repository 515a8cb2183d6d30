#!/bin/bash
# Values through sed and awk over known text stay honest.
# unknown: command:sed command:awk command:bc
V=$(echo "model/name" | sed 's/\//_/g')
W=$(echo "1 2" | awk '{print $2}')
python train.py --v "$V" --w "$W" --end
