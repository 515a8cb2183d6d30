#!/bin/bash
deepspeed --num_gpus 16 train.py --deepspeed_config configs/good.json
