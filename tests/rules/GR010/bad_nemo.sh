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
    ++loss_fn.use_kl_in_reward=true \
    loss_fn.reference_policy_kl_penalty=0.01
