#!/bin/bash
# Math with GRPO on one node or more, in the NeMo-RL container.
set -euo pipefail

export HF_HOME=/data/hf

uv run examples/run_grpo.py \
    --config examples/configs/grpo_math_8B.yaml \
    policy.model_name=Qwen/Qwen3-30B-A3B \
    policy.logprob_batch_size=1 \
    logger.wandb_enabled=true \
    logger.wandb.name=qwen3-8b-math \
    checkpointing.checkpoint_dir=results/qwen3-8b-math \
    policy.generation.vllm_cfg.tensor_parallel_size=4 \
    policy.generation.vllm_cfg.expert_parallel_size=8 \
    policy.generation.vllm_cfg.async_engine=true
