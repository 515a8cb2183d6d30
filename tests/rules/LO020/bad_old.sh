#!/bin/bash
RANK=16
python3 -m openrlhf.cli.train_ppo_ray \
   --actor_num_nodes 1 \
   --actor_num_gpus_per_node 4 \
   --ref_num_nodes 1 \
   --ref_num_gpus_per_node 4 \
   --vllm_num_engines 2 \
   --vllm_tensor_parallel_size 2 \
   --colocate_all_models \
   --vllm_gpu_memory_utilization 0.5 \
   --vllm_enable_sleep \
   --pretrain Qwen/Qwen2.5-3B-Instruct \
   --remote_rm_url /data/reward.py \
   --prompt_data /data/math \
   --input_key prompt \
   --advantage_estimator rloo \
   --n_samples_per_prompt 8 \
   --rollout_batch_size 128 \
   --train_batch_size 128 \
   --micro_train_batch_size 4 \
   --micro_rollout_batch_size 8 \
   --generate_max_len 1024 \
   --zero_stage 3 \
   --bf16 \
   --lora_rank $RANK
