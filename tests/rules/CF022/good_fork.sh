#!/bin/bash
# A fork with an estimator of its own: nobody names the release.
ray job submit --address="http://127.0.0.1:8265" -- python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path Qwen/Qwen3-4B \
   --data.prompt_dataset OpenRLHF/prompts \
   --data.max_len 2048 \
   --rollout.max_new_tokens 1024 \
   --rollout.batch_size 128 \
   --rollout.n_samples_per_prompt 8 \
   --train.batch_size 1024 \
   --algo.advantage.estimator grpo \
   --vllm.num_engines 4 \
   --vllm.tensor_parallel_size 2 \
   --ds.zero_stage 3
