#!/bin/bash
# Another IFS splits at other characters.
LIST=1,2,,3
IFS=,
set -- $LIST
unset IFS
python train.py --count $# --second "$2" --third "[$3]"
