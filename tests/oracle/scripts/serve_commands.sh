#!/bin/bash
# Servers started by command line tools.
vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2 --max-model-len 8192 &
python -m vllm.entrypoints.openai.api_server --model m --port 8001 &
python3 -m sglang.launch_server --model-path m --tp 2 &
trl vllm-serve --model m &
wait
