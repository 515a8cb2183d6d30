#!/bin/bash
# Splitting joins the edges with what stands beside the variable.
V="b c"
python train.py a${V}d "a${V}d" x$V
