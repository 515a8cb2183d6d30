#!/bin/bash
python train.py --lr $1 --second "$2" --outside "$FROM_OUTSIDE" --hidden "${HIDDEN:-none}" --count $#
