#!/bin/bash
set -x
ray job submit --address="http://127.0.0.1:8265" \
   --runtime-env-json='{"working_dir": "/openrlhf"}' \
   -- python3 -m openrlhf.cli.train_ppo_ray \
   --actor_num_nodes 1 \
   --actor_num_gpus_per_node 8 \
   --ref_num_nodes 1 \
   --ref_num_gpus_per_node 8 \
   --vllm_num_engines 4 \
   --vllm_tensor_parallel_size 2 \
   --pretrain Qwen/Qwen2.5-7B-Instruct \
   --remote_rm_url reward.py \
   --prompt_data data/math.jsonl \
   --rollout_batch_size 128 \
   --n_samples_per_prompt 8 \
   --micro_rollout_batch_size 8 \
   --train_batch_size 128 \
   --micro_train_batch_size 4 \
   --advantage_estimator group_norm \
   --kl_estimator k1 \
   --bf16 \
   --actor_learning_rate 5e-7 \
   --colocate_all_models \
   --vllm_enable_sleep \
   --save_path ckpt/qwen \
   --deepspeed_enable_sleep \
   --zero_stage 2
