#!/bin/bash
# Conditions over values that are known.
ENGINE=vllm
N=8
if [ "$ENGINE" = "vllm" ]; then
  EXTRA="--gpu-memory-utilization 0.6"
elif [ "$ENGINE" = "sglang" ]; then
  EXTRA="--mem-fraction-static 0.6"
else
  EXTRA=""
fi
if [[ $N -gt 4 && $ENGINE == v* ]]; then BIG=yes; else BIG=no; fi
[ $N -eq 8 ] && EIGHT=1 || EIGHT=0
python train.py $EXTRA --big $BIG --eight $EIGHT
