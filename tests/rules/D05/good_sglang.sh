#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-8B \
    --port 30000 \
    --mem-fraction-static 0.8 \
    --tp 2 \
    --disable-cuda-graph
