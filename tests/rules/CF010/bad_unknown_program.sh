#!/bin/bash
# A program that no framework knows loses its options all the same.
torchrun --nproc_per_node 8 src/own/train.py \
    --dataset own/data \  # the first shard
    --max_prompt_length 1024 \
    --bf16
