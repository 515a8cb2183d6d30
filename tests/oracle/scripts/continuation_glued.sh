#!/bin/bash
# A continuation in the middle of a word joins the halves.
python train.py --learning\
-rate 1e-6 --model=Qwen/Qwen3\
-8B
