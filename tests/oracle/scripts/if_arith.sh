#!/bin/bash
# (( )) and [[ ]] with arithmetic comparisons and regular expressions.
NODES=2
NAME=qwen3-30b-a3b
if (( NODES > 1 )); then MULTI=true; else MULTI=false; fi
if [[ $NAME =~ ^qwen([0-9]+)-([0-9]+)b ]]; then VERSION=${BASH_REMATCH[1]}; SIZE=${BASH_REMATCH[2]}; fi
if [[ ! $NAME == *dense* || $NODES -lt 1 ]]; then KIND=moe; fi
python train.py --multi $MULTI --version $VERSION --size $SIZE --kind $KIND
