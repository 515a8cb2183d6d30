#!/bin/bash
# A loop that builds a list of files for Hydra.
FILES=""
for d in gsm8k math aime; do
  if [ -z "$FILES" ]; then FILES="'data/$d.parquet'"; else FILES="$FILES,'data/$d.parquet'"; fi
done
python3 -m verl.trainer.main_ppo data.train_files="[$FILES]"
