#!/bin/bash

set -x

MODEL_PATH=Qwen/Qwen2.5-7B-Instruct  # or a local folder

python3 -m verl.trainer.main \
    config=config/base.yaml \
    worker.actor.model.model_path=${MODEL_PATH} \
    data.max_response_length=16384 \
    trainer.experiment_name=qwen2_5_7b_math_grpo
