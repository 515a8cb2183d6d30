#!/bin/bash
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-32B \
    --context-length 32768 \
    --mem-fraction-static 0.7 \
    --tp-size 2 \
    --host 0.0.0.0 \
    --port 30000
