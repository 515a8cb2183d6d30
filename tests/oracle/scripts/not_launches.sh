#!/bin/bash
# Commands that start no program.
pip install -q vllm
python -c "print('train.py')"
python - <<'P'
print("python never.py")
P
mkdir -p /dev/null/x 2> /dev/null
huggingface-cli download Qwen/Qwen3-8B
ray status
python train.py --only
