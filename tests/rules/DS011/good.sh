#!/usr/bin/env bash
set -euo pipefail
LORA_RANK=${LORA_RANK:-64}

ray job submit --address http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray \
    --actor.num_nodes 1 \
    --actor.num_gpus_per_node 8 \
    --ref.num_nodes 1 \
    --ref.num_gpus_per_node 8 \
    --train.colocate_all \
    --actor.model_name_or_path Qwen/Qwen3-8B \
    --reward.remote_url /data/reward.py \
    --data.prompt_dataset openai/gsm8k \
    --algo.advantage.estimator group_norm \
    --rollout.n_samples_per_prompt 8 \
    --rollout.batch_size 128 \
    --train.batch_size 1024 \
    --train.micro_batch_size 4 \
    --ds.zero_stage 3 \
    --ds.lora.rank "$LORA_RANK" \
    --actor.adam.lr 1e-5
