#!/bin/bash
# declare -n and readonly.
TARGET=8
declare -n ref=TARGET
readonly FIXED="a b"
ref=9
python train.py --target $TARGET --fixed "$FIXED"
