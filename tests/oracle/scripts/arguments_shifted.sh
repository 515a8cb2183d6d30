#!/bin/bash
# "${@:2}" and $* are empty too, $# is 0.
# unknown: argument:$#
python train.py --count $# "${@:2}" $* "$*" --end
