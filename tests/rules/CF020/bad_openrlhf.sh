#!/bin/bash
set -x
MODEL=Qwen/Qwen3-4B
ray job submit --address="http://127.0.0.1:8265" -- python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path $MODEL \
   --data.prompt_dataset OpenRLHF/prompts \
   --data.input_key context_messages \
   --data.max_len 2048 \
   --rollout.max_new_tokens 1024 \
   --rollout.batch_size 128 \
   --rollout.n_samples_per_prompt 8 \
   --train.batch_size 1024 \
   --algo.advantage.estimator group_norm \
   --vllm.num_engines 4 \
   --vllm.tensor_parallel_size 2 \
   --zero_stage 3 \
   --flash_attn
