#!/bin/bash
# Math with GRPO on one node or more, in the NeMo-RL container.
set -euo pipefail

export HF_HOME=/data/hf

uv run examples/run_grpo.py \
    --config examples/configs/grpo_math_8B.yaml \
    policy.model_name=Qwen/Qwen3-8B \
    policy.logprob_batch_size=1 \
    logger.wandb_enabled=true \
    logger.wandb.name=qwen3-8b-math \
    checkpointing.checkpoint_dir=results/qwen3-8b-math \
    loss_fn.sequence_level_importance_ratios=true \
    loss_fn.token_level_loss=false \
    policy.train_global_batch_size=256 \
    grpo.num_prompts_per_step=64
