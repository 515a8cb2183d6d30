#!/bin/bash
# A function whose output is a value.
pick() { if [ "$1" -gt 4 ]; then echo large; else echo small; fi; }
join_by() { local d=$1; shift; local IFS="$d"; echo "$*"; }
SIZE=$(pick 8)
LIST=$(join_by , a b c)
python train.py --size $SIZE --list $LIST
