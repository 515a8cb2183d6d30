#!/bin/bash
set -e
python3 -m areal.infra.launcher.local examples/math/gsm8k_rl.py --config conf/grpo.yaml \
    actor.backend=fsdp:d3 \
    trial_name=three-ranks
