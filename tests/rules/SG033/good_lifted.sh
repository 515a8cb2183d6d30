#!/bin/bash
set -e
export SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen2.5-Math-7B-Instruct \
    --host 0.0.0.0 \
    --port 30000 \
    --context-length 16384
