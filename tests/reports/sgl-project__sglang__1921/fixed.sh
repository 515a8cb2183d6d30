python -m sglang.launch_server --model-path Qwen/Qwen2.5-7B-Instruct \
    --lora-paths style=adapters/style support=adapters/support \
    --max-loras-per-batch 2 --disable-radix-cache --disable-cuda-graph \
    --port 30000
