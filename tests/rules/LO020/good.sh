#!/bin/bash
set -x
python3 -m openrlhf.cli.train_ppo_ray \
   --actor.num_nodes 1 \
   --actor.num_gpus_per_node 8 \
   --ref.num_nodes 1 \
   --ref.num_gpus_per_node 8 \
   --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
   --reward.remote_url /data/reward.py \
   --train.colocate_all \
   --vllm.num_engines 4 \
   --vllm.tensor_parallel_size 2 \
   --vllm.enable_sleep \
   --vllm.gpu_memory_utilization 0.6 \
   --algo.advantage.estimator rloo \
   --rollout.n_samples_per_prompt 8 \
   --rollout.batch_size 128 \
   --rollout.micro_batch_size 8 \
   --train.batch_size 1024 \
   --train.micro_batch_size 4 \
   --rollout.max_new_tokens 2048 \
   --ds.zero_stage 3 \
   --ds.param_dtype bf16 \
   --data.prompt_dataset /data/math \
   --data.input_key prompt \
   --ckpt.output_dir /ckpt/out
