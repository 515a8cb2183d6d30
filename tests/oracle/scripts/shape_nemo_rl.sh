#!/bin/bash
# NeMo-RL test shape: guard rails, uv and coverage.
SCRIPT_DIR=$( cd -- "$( dirname -- "${BASH_SOURCE[0]}" )" &> /dev/null && pwd)
PROJECT_ROOT=$(realpath $SCRIPT_DIR/..)
NUM_NODES=1
STEPS=500
EXP_NAME=$(basename $0 .sh)
LOG_DIR=$SCRIPT_DIR/logs
cd $SCRIPT_DIR
uv run examples/run_grpo_math.py \
    --config recipes/${EXP_NAME}.yaml \
    grpo.max_num_steps=$STEPS \
    logger.log_dir=$LOG_DIR \
    logger.wandb.name=$EXP_NAME \
    checkpointing.enabled=True \
    $@ \
    2>&1 | tee /dev/null
