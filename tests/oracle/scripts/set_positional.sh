#!/bin/bash
# set -- replaces the arguments.
set -- one "two words" three
python train.py "$@" --n $#
shift
python train.py "$1" "${2}" "$*"
