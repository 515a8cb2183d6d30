#!/bin/bash
# The words of the command are expanded before its own assignments count.
N=1
N=2 python train.py --n $N
