#!/bin/bash
# Math with GRPO on one node or more, in the NeMo-RL container.
set -euo pipefail

export HF_HOME=/data/hf

uv run examples/run_grpo.py \
    --config examples/configs/grpo_math_8B_megatron.yaml \
    policy.model_name=Qwen/Qwen3-8B \
    policy.logprob_batch_size=1 \
    logger.wandb_enabled=true \
    logger.wandb.name=qwen3-8b-math \
    checkpointing.checkpoint_dir=results/qwen3-8b-math \
    policy.generation.vllm_cfg.kv_cache_dtype=fp8_e4m3 \
    policy.generation.vllm_cfg.precision=fp8 \
    loss_fn.use_importance_sampling_correction=true \
    policy.megatron_cfg.pipeline_model_parallel_size=1
