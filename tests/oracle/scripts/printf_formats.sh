#!/bin/bash
# printf into variables.
printf -v A '%s_%d' run 5
printf -v B '%.2f' 0.5
printf -v C '%5s|%-5s|' ab cd
python train.py "$A" "$B" "$C"
