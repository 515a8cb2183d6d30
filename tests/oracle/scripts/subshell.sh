#!/bin/bash
# A subshell keeps its changes to itself; braces do not.
A=1
( A=2; export INSIDE=1; python train.py --a $A )
{ A=3; python train.py --a $A; }
python train.py --a $A
