#!/bin/bash
# Code behind false never runs, nor after exit.
if false; then python never.py --a; fi
python train.py --b
exit 0
python after.py --c
