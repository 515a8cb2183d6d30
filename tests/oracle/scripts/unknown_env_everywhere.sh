#!/bin/bash
# Variables only the caller knows.
# unknown: env:BASE_DIR env:WORLD_SIZE
python train.py --data $BASE_DIR/train.parquet --gpus "${WORLD_SIZE}" --both "$BASE_DIR-$WORLD_SIZE" --fine 1
