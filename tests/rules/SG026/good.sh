#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-30B-A3B \
    --host 0.0.0.0 \
    --port 30000 \
    --tp-size 8 \
    --dp-size 4 \
    --enable-dp-attention
