#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path deepseek-ai/DeepSeek-V3 \
    --host 0.0.0.0 \
    --port 30000 \
    --tp-size 8 \
    --enable-dp-attention
