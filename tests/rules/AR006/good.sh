#!/bin/bash
set -e
python3 -m areal.infra.launcher.local examples/math/gsm8k_rl.py --config conf/grpo.yaml \
    actor.backend=fsdp:d2t2 \
    trial_name=two-ranks
