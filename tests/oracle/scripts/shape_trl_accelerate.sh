#!/bin/bash
# TRL behind accelerate, under Slurm.
#SBATCH --nodes=1
#SBATCH --gres=gpu:8
set -x -e
MODEL=$1
TASK=${2:-grpo}
CONFIG_FILE=recipes/${MODEL:-Qwen}/$TASK/config_demo.yaml
OPTIONAL_ARGS=""
if [[ "$OPTIONAL_ARGS" == *"--gradient_accumulation_steps="* ]]; then GAS=2; else GAS=4; fi
USE_VLLM="true"
if [[ "$USE_VLLM" == "true" ]]; then
  TENSOR=2
  trl vllm-serve --model Qwen/Qwen2.5-1.5B-Instruct --tensor_parallel_size $TENSOR &
fi
accelerate launch --config_file recipes/accelerate_configs/zero3.yaml \
  --gradient_accumulation_steps $GAS --num_machines 1 --num_processes 8 \
  src/open_r1/$TASK.py --config $CONFIG_FILE $OPTIONAL_ARGS
