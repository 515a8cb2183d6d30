#!/bin/bash
# EasyR1: a prompt with a line break in a variable, configuration first.
set -x
export PYTHONUNBUFFERED=1
MODEL_PATH=Qwen/Qwen2.5-VL-7B-Instruct
SYSTEM_PROMPT="""You FIRST think about the reasoning process,
then answer in \boxed{}."""
python3 -m verl.trainer.main \
    config=examples/config.yaml \
    data.system_prompt="${SYSTEM_PROMPT}" \
    worker.actor.model.model_path=${MODEL_PATH} \
    trainer.n_gpus_per_node=2
