#!/bin/bash
set -e
python3 -m sglang.launch_server \
    --model-path models/hybrid \
    --host 0.0.0.0 \
    --port 30000 \
    --mem-fraction-static 0.8 \
    --tp 4 \
    --enable-memory-saver
