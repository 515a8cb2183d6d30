#!/bin/bash
# A variable assigned first and exported afterwards; reassigned while exported; unset again.
MODE=async
WANDB_PROJECT=one
GONE=1
export MODE WANDB_PROJECT GONE
WANDB_PROJECT=two
unset GONE
python train.py --mode "$MODE"
