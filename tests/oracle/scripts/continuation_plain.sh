#!/bin/bash
# One command over many lines, joined by backslashes.
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=256 \
    actor_rollout_ref.rollout.n=8
