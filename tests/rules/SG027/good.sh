#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-235B-A22B \
    --host 0.0.0.0 \
    --port 30000 \
    --tp-size 8 \
    --ep-size 8 \
    --moe-a2a-backend deepep
