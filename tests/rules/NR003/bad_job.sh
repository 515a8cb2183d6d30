#!/bin/bash
# Two nodes under Slurm: ray.sub starts Ray on them and runs the command.
NUM_ACTOR_NODES=2

COMMAND="uv run ./examples/run_grpo.py --config examples/configs/grpo_math_8B.yaml cluster.num_nodes=$NUM_ACTOR_NODES grpo.num_generations_per_prompt=12 logger.wandb_enabled=True" \
CONTAINER=nemo-rl.sqsh \
MOUNTS="/data:/data" \
sbatch \
    --nodes=$NUM_ACTOR_NODES \
    --time=4:0:0 \
    --gres=gpu:8 \
    ray.sub
