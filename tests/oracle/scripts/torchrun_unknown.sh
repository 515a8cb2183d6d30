#!/bin/bash
# A number of GPUs that nobody knows.
# unknown: env:SLURM_NNODES
torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 train.py --nodes "$SLURM_NNODES" --b 1
