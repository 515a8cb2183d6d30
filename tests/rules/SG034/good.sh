#!/bin/bash
set -e
export SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1
export SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK=True
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-8B \
    --host 0.0.0.0 \
    --port 30000 \
    --context-length 8192
