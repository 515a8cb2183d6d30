#!/bin/bash
# An unquoted variable is split at blanks; an empty one disappears.
ARGS="--lr 1e-6   --epochs 2"
NONE=
python train.py $ARGS $NONE --end "$NONE"
