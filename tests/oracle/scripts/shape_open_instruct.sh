#!/bin/bash
# A submitter whose program stands behind two dashes.
# elsewhere: open_instruct/grpo_fast.py
for lr in 1e-6 2e-6; do
exp=grpo_${lr}
python mason.py --cluster ai2/one --gpus 8 -- source configs/setup.sh \&\& python open_instruct/grpo_fast.py \
    --exp_name $exp --learning_rate $lr --beta 0.0
done
