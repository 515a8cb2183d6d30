#!/bin/bash
set -e
accelerate launch --num_processes 4 --num_machines 1 --mixed_precision bf16 code/train.py
