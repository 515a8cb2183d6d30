#!/bin/bash
set -e
export CUDA_VISIBLE_DEVICES=0,1,2,3
python code/train.py 2>&1 | tee log.txt
