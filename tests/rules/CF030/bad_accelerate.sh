#!/bin/bash
accelerate launch --num_processes 8 --use_fsdp --use_deepspeed --zero_stage 2 train.py \
    --output_dir out
