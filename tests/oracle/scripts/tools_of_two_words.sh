#!/bin/bash
# Training tools with a subcommand.
NPROC_PER_NODE=4 swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B --reward_funcs accuracy format
megatron sft --load x --train_type lora
llamafactory-cli train examples/dpo.yaml
axolotl train grpo.yml --launcher accelerate
trl grpo --model_name_or_path m --output_dir o
