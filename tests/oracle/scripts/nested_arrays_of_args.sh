#!/bin/bash
# Arrays made of arrays and of conditionals.
BASE=(--lr 1e-6)
USE_KL=true
KL=()
if [ "$USE_KL" = true ]; then KL=(--kl 0.01 --kl_type k3); fi
ALL=("${BASE[@]}" "${KL[@]}" --end)
python train.py "${ALL[@]}"
