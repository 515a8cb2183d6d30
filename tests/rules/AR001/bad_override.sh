#!/bin/bash
set -e
DP=4
python3 examples/math/gsm8k_rl.py --config conf/grpo.yaml \
    scheduler.type=local \
    actor.backend=d${DP}t1
