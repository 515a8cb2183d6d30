#!/bin/bash
# Special parameters.
# unknown: argument:$#
python train.py --script "$(basename "$0")" --argc $# --status $?
