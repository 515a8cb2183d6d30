#!/bin/bash
accelerate launch --use_deepspeed --deepspeed_config_file configs/zero2.json --mixed_precision fp16 --num_processes 8 --num_machines 1 train_own.py --epochs 3
