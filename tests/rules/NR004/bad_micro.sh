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
    policy.sequence_packing.enabled=false \
    grpo.num_prompts_per_step=6 \
    grpo.num_generations_per_prompt=8 \
    policy.train_global_batch_size=48 \
    policy.train_micro_batch_size=4 \
    policy.logprob_batch_size=4
