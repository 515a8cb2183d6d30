#!/bin/bash
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \
    --yaml-cfg conf/model.yaml
