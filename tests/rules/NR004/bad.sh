#!/bin/bash
# Math with GRPO on one node or more, in the NeMo-RL container.
set -euo pipefail

export HF_HOME=/data/hf

uv run examples/run_sft.py \
    policy.model_name=Qwen/Qwen3-8B \
    logger.wandb_enabled=true \
    checkpointing.checkpoint_dir=results/sft \
    policy.train_global_batch_size=100 \
    cluster.gpus_per_node=8
