#!/bin/bash
CUDA_VISIBLE_DEVICES=3 python code/train.py
