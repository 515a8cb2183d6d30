#!/bin/bash
# Data, training and evaluation after one another.
set -e
python scripts/prepare.py --out data
for stage in 1 2; do
  python3 -m verl.trainer.main_ppo trainer.experiment_name=stage$stage data.max_response_length=$((stage * 4096))
done
python eval.py --ckpt stage$stage
