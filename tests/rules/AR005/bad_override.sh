#!/bin/bash
set -e
export KL=0.001
python3 examples/math/gsm8k_rl.py --config conf/grpo.yaml scheduler.type=local actor.kl_ctl=$KL
