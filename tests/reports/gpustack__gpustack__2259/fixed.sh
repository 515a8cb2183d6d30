#!/bin/sh
vllm serve google/gemma-3-27b-it --max-model-len 8192 --tensor-parallel-size 2 --host 0.0.0.0 --port 40059
