#!/bin/bash
# Math with GRPO on one node or more, in the NeMo-RL container.
set -euo pipefail

export HF_HOME=/data/hf

uv run examples/run_dpo.py \
    --config examples/configs/dpo.yaml \
    policy.model_name=Qwen/Qwen3-8B \
    checkpointing.checkpoint_dir=results/dpo \
    cluster.gpus_per_node=8 \
    policy.sequence_packing.enabled=true
