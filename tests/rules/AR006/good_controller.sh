#!/bin/bash
set -e
python3 examples/math/gsm8k_rl.py --config conf/grpo.yaml \
    scheduler.type=local \
    actor.backend=fsdp:d3
