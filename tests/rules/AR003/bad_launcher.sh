#!/bin/bash
set -e
python3 -m areal.infra.launcher.ray examples/math/gsm8k_rl.py --config conf/grpo.yaml \
    rollout.backend=sglang:d4t2 \
    cluster.n_nodes=1
