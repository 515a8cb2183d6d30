#!/bin/bash
# Positional parameters with defaults, and "$@" behind.
MODEL=${1:-Qwen/Qwen3-0.6B}
GPUS=${2-8}
python3 -m verl.trainer.main_ppo model=$MODEL trainer.n_gpus_per_node=$GPUS "$@"
