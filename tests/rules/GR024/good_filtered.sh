#!/bin/bash
set -x
ray job submit --address="http://127.0.0.1:8265" \
   --runtime-env-json='{"working_dir": "/openrlhf"}' \
   -- python3 -m openrlhf.cli.train_ppo_ray \
   --actor.num_nodes 1 \
   --actor.num_gpus_per_node 8 \
   --ref.num_nodes 1 \
   --ref.num_gpus_per_node 8 \
   --vllm.num_engines 4 \
   --vllm.tensor_parallel_size 2 \
   --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
   --reward.remote_url reward.py \
   --data.prompt_dataset data/math.jsonl \
   --rollout.batch_size 16 \
   --rollout.n_samples_per_prompt 8 \
   --rollout.micro_batch_size 8 \
   --train.batch_size 8 \
   --train.micro_batch_size 1 \
   --algo.advantage.estimator group_norm \
   --ds.zero_stage 3 \
   --ds.param_dtype bf16 \
   --actor.adam.lr 5e-7 \
   --train.colocate_all \
   --vllm.enable_sleep \
   --ckpt.output_dir ckpt/qwen \
    --algo.dynamic_filtering_enable
