#!/bin/bash
# exec replaces the script.
export Z=1
exec python train.py --a "$@"
python never.py
