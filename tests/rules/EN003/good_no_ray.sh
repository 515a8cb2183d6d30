#!/bin/bash
ulimit -n 1024
deepspeed --num_gpus 8 train.py --deepspeed_config ds/two.json
