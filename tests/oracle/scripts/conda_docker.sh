#!/bin/bash
# conda run and docker run.
conda run -n verl --no-capture-output python train.py --a
docker run --rm --gpus all -e HF_HOME=/hf -v /data:/data verlai/verl:latest python3 -m verl.trainer.main_ppo b=1
