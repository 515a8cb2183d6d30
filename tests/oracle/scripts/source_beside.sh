#!/bin/bash
# A file beside the script is read in, with its exports and arrays.
source "$(dirname "$0")/lib/common.sh"
python train.py "${COMMON_ARGS[@]}" --tp $COMMON_TP
