#!/bin/bash
# GRPO on one node
set -e
export VLLM_DISABLE_COMPILE_CACHE=1

python open_instruct/grpo_fast.py \
    --exp_name qwen3_8b_math \
    --model_name_or_path Qwen/Qwen3-8B \
    --dataset_mixer_list ai2-adapt-dev/rlvr_gsm8k_zs 1.0 \
    --dataset_mixer_list_splits train \
    --max_prompt_token_length 2048 \
    --response_length 8192 \
    --pack_length 10240 \
    --num_unique_prompts_rollout 64 \
    --num_samples_per_prompt_rollout 8 \
    --learning_rate 1e-6 \
    --temperature 1.0 \
    --num_learners_per_node 4 \
    --vllm_num_engines 4 \
    --apply_verifiable_reward true \
    --gradient_checkpointing \
    --deepspeed_stage 3 \
    --use_vllm_logprobs
