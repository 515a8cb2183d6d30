python -m sglang.launch_server --model-path Qwen/Qwen2.5-7B-Instruct \
    --lora-paths style=adapters/style support=adapters/support \
    --disable-cuda-graph \
    --max-loras-per-batch 2
