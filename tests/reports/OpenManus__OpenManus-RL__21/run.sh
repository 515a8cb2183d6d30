#!/bin/bash
export CUDA_VISIBLE_DEVICES=0
accelerate launch --num_processes 1 train.py
