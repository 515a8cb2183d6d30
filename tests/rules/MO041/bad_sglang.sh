#!/bin/bash
MODEL=${MODEL:-/data/models/Qwen3-235B-A22B-FP8}
python3 -m sglang.launch_server \
    --model-path "$MODEL" \
    --tp-size 8 \
    --mem-fraction-static 0.85 \
    --host 0.0.0.0 \
    --port 30000
