#!/bin/bash
GPUS=4,5
CUDA_VISIBLE_DEVICES=$GPUS python code/train_zero.py
