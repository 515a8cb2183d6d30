#!/bin/bash
# Defaults that look like lists.
LOGGER=${LOGGER:-"['console','wandb']"}
python3 -m verl.trainer.main_ppo trainer.logger="$LOGGER" "data.train_files=${FILES:-["a.parquet"]}"
