#!/bin/bash
# srun in a container, with a nested text.
#SBATCH --nodes=2
#SBATCH --gres=gpu:8
IMAGE=/images/verl.sqsh
srun --nodes=2 --ntasks-per-node=1 --container-image "$IMAGE" --container-mounts /data:/data python -u train.py --a 1
