#!/usr/bin/env bash
set -euo pipefail

python3 -m jobs.train_unified \
    rllm/backend=tinker \
    model.name=Qwen/Qwen3-8B \
    model.lora_rank=32 \
    training.group_size=8 \
    validation.group_size=1 \
    training.learning_rate=4e-5 \
    data.train_batch_size=1 \
    data.max_prompt_length=2048 \
    data.max_response_length=8192 \
    rllm.stepwise_advantage.enable=true \
    rllm.stepwise_advantage.mode=broadcast \
    rllm.trainer.total_epochs=2 \
    rllm.trainer.project_name=solver \
    rllm.trainer.experiment_name=qwen3-8b
