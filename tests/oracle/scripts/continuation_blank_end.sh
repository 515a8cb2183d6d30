#!/bin/bash
# A backslash on the last option, then a blank line.
python3 -m verl.trainer.main_ppo \
    data.train_batch_size=256 \
    trainer.nnodes=1 \

echo finished
