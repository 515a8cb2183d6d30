#!/bin/bash
torchrun --nproc_per_node 1 code/train.py
