#!/bin/bash
# Assignments before a command are in the environment of that command alone.
# unknown: env:CUDA_VISIBLE_DEVICES
CUDA_VISIBLE_DEVICES=0,1 PYTHONUNBUFFERED=1 python serve.py --port 8000
python train.py --port 8000 --seen "$CUDA_VISIBLE_DEVICES"
