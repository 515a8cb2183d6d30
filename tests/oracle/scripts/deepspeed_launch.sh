#!/bin/bash
# deepspeed with a list of devices and a module.
deepspeed --include localhost:0,1,2,3 --master_port 29600 --module openrlhf.cli.train_sft --zero_stage 3 --bf16
deepspeed --num_gpus=8 main.py --deepspeed ds.json
