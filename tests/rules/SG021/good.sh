#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-235B-A22B \
    --host 0.0.0.0 \
    --port 30000 \
    --tp-size 16 \
    --dp-size 2 \
    --enable-dp-attention \
    --nnodes 2 \
    --node-rank 0 \
    --dist-init-addr 10.0.0.1:5000
