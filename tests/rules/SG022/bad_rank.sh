#!/bin/bash
set -e
RANK=32
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-8B \
    --host 0.0.0.0 \
    --port 30000 \
    --enable-lora \
    --max-lora-rank $RANK
