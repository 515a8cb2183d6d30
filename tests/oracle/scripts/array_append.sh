#!/bin/bash
# += adds items, to a string it adds text.
ARGS=(--a 1)
ARGS+=(--b 2)
NAME=base
NAME+="-v2"
ARGS+=("--name=$NAME")
python train.py "${ARGS[@]}"
