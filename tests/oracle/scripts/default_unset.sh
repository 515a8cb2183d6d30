#!/bin/bash
# Defaults for variables nobody set, nested, with and without the colon.
MODEL=${MODEL_PATH:-Qwen/Qwen2.5-7B-Instruct}
OUT=${OUT_DIR-${BASE:-/data}/out}
EMPTY=""
python train.py --model $MODEL --out $OUT --colon "${EMPTY:-filled}" --bare "${EMPTY-filled}"
