#!/bin/bash
# A test for a file: what is beside the script need not be there when it runs.
# unknown: branch:4
if [ -f lib/common.sh ]; then A=there; else A=gone; fi
python train.py --a $A
