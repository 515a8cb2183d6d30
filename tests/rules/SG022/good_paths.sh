#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-8B \
    --host 0.0.0.0 \
    --port 30000 \
    --enable-lora \
    --lora-paths math=/ckpt/math
