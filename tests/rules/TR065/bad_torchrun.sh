#!/bin/bash
N=2
torchrun --nproc_per_node $N code/train.py
