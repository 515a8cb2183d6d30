#!/bin/bash
# Lists and dictionaries of Hydra, as they are quoted in practice.
python3 -m verl.trainer.main_ppo \
  trainer.logger=['console','wandb'] \
  trainer.logger='["console"]' \
  "data.train_files=['a.parquet','b.parquet']" \
  +actor.override='{a:1,b:[2,3]}' \
  data.x=[\'q\']
