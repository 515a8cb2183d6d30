#!/bin/bash
# Options kept in one string over several lines.
OPTS="
  --num_train_epochs 1
  --bf16 true
	--logging_steps 5
"
python sft.py $OPTS --seed 1
