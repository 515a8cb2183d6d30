#!/bin/bash
# accelerate with a configuration and options of its own.
ACCELERATE_LOG_LEVEL=info accelerate launch --config_file recipes/zero3.yaml --num_processes 7 src/grpo.py --config recipes/grpo.yaml --vllm_mode colocate
