#!/bin/sh
exec python -m vllm.entrypoints.openai.api_server \
    --model ./granite-7b-lab \
    --served-model-name granite \
    --tensor-parallel-size 2 \
    --port 8000
