#!/bin/bash
# A job script with directives and variables of the scheduler.
#SBATCH --job-name=grpo
#SBATCH --gpus-per-node=8
# unknown: env:SLURM_JOB_ID
export RUN_ID=$SLURM_JOB_ID
srun -N 1 -n 1 torchrun --nproc_per_node 8 train.py --run job_$SLURM_JOB_ID --lr 1
