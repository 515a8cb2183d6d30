#!/bin/bash
export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=8000
trl sft --model_name_or_path Qwen/Qwen2.5-1.5B --dataset_name trl-lib/Capybara --load_in_4bit --use_peft --output_dir out
