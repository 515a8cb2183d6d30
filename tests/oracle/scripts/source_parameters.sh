#!/bin/bash
# source with arguments binds them.
. ./lib/params.sh 16 two
python train.py --n $PARAM_N --w $PARAM_W
