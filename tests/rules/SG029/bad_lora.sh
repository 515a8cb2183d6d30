#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path Qwen/Qwen3-32B \
    --host 0.0.0.0 \
    --port 30000 \
    --enable-lora \
    --max-lora-rank 64 \
    --lora-target-modules all \
    --speculative-algorithm EAGLE3 \
    --speculative-draft-model-path /models/draft
