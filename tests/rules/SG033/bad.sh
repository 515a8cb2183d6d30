#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen2.5-Math-7B-Instruct \
    --host 0.0.0.0 \
    --port 30000 \
    --context-length 16384
