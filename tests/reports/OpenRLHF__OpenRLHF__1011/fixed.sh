#!/bin/bash
export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512
python3 -m openrlhf.cli.train_ppo_ray \
   --actor_num_nodes 1 --actor_num_gpus_per_node 8 \
   --ref_num_nodes 1 --ref_num_gpus_per_node 8 \
   --vllm_num_engines 8 --vllm_tensor_parallel_size 1 \
   --vllm_gpu_memory_utilization 0.6 \
   --vllm_enable_sleep --deepspeed_enable_sleep \
   --colocate_all_models \
   --pretrain Qwen/Qwen2.5-7B-Instruct \
   --remote_rm_url rewards.py \
   --advantage_estimator group_norm \
   --n_samples_per_prompt 8 \
   --train_batch_size 128 --micro_train_batch_size 1 \
   --rollout_batch_size 128 --micro_rollout_batch_size 2 \
   --zero_stage 3 --bf16 --gradient_checkpointing --packing_samples \
   --prompt_data prompts.jsonl --input_key prompt --apply_chat_template \
   --save_path out
