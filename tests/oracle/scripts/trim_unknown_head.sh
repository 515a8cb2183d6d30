#!/bin/bash
# The end of a path whose head is not known.
# unknown: env:MODEL_ROOT
P=$MODEL_ROOT/Qwen3-8B
python train.py --name ${P##*/} --model ${MODEL_ROOT}/Qwen3-8B
