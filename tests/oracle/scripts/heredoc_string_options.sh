#!/bin/bash
# Options in a string made by cat.
OPTS=$(cat <<E
--a 1
--b two
E
)
python train.py $OPTS
