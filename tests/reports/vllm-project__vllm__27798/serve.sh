#!/bin/bash
export VLLM_USE_V1=0
vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 8192
