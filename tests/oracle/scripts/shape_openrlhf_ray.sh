#!/bin/bash
# OpenRLHF through ray, old and new spelling of options.
set -x
ray job submit --address="http://127.0.0.1:8265" \
   --runtime-env-json='{"working_dir": "/openrlhf"}' \
   -- python3 -m openrlhf.cli.train_ppo_ray \
   --ref_num_nodes 1 \
   --vllm_num_engines 4 \
   --colocate_all_models \
   --pretrain OpenRLHF/Llama-3-8b-sft-mixture \
   --advantage_estimator group_norm \
   --n_samples_per_prompt 8 \
   --actor_learning_rate 5e-7 \
   --packing_samples
