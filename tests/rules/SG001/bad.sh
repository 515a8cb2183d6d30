#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-8B \
    --host 0.0.0.0 \
    --port 30000 \
    --mem-fraction-static 0.8 \
    --tp-size 8 \
    --nnodes 3 \
    --node-rank 0 \
    --dist-init-addr 10.0.0.1:5000
