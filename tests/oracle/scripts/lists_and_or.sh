#!/bin/bash
# Lists with && and ||.
true && python train.py --a
false || python train.py --b
false && python never.py
true || python never.py
! true || python runs.py
[ 1 = 1 ] && [ 2 -gt 1 ] && python train.py --c
