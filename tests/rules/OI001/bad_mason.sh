#!/bin/bash
PACK=4096
uv run python mason.py \
    --cluster ai2/jupiter \
    --num_nodes 2 \
    --gpus 8 -- source configs/beaker_configs/ray_node_setup.sh \&\& python open_instruct/grpo_fast.py \
    --model_name_or_path Qwen/Qwen3-8B \
    --num_unique_prompts_rollout 64 \
    --num_samples_per_prompt_rollout 8 \
    --max_prompt_token_length 2048 \
    --response_length 4096 \
    --pack_length $PACK \
    --temperature 1.0 \
    --deepspeed_stage 3 \
    --num_learners_per_node 8
