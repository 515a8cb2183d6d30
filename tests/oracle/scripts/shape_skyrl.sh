#!/bin/bash
# SkyRL: colon defaults as statements.
set -x
: "${DATA_DIR:="$HOME/data/gsm8k"}"
: "${NUM_GPUS:=4}"
: "${LOGGER:=wandb}" # change to "console" to print to stdout
uv run --isolated --extra vllm -m skyrl_train.entrypoints.main_base \
  data.train_data="['$DATA_DIR/train.parquet']" \
  trainer.policy.model.path="Qwen/Qwen2.5-1.5B-Instruct" \
  generator.num_inference_engines=$NUM_GPUS \
  trainer.logger="$LOGGER" \
  $@
