#!/bin/bash
set -e
export CUDA_VISIBLE_DEVICES=0,1,2,3
accelerate launch --num_processes 4 --num_machines 1 --mixed_precision bf16 code/train.py
