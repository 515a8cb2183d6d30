#!/bin/bash
# ray job submit with a file, and a single-quoted JSON.
ray job submit --runtime-env=env.yaml -- PYTHONUNBUFFERED=1 MODE=x python3 -m verl.trainer.main_ppo trainer.nnodes=1
ray job submit --no-wait --runtime-env=env.yaml --working-dir . -- python3 -m verl.trainer.main_ppo trainer.nnodes=2
ray job submit --runtime-env-json='{"working_dir": ".", "env_vars": {"A": "1"}}' -- python3 -m openrlhf.cli.train_ppo_ray --colocate_all_models
