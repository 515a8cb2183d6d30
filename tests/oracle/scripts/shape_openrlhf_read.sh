#!/bin/bash
# OpenRLHF's older shape: the options in a here-document, the launch under a condition.
set -x
read -r -d '' training_commands <<EOT
openrlhf.cli.train_dpo \
   --save_path ./checkpoint/llama3-8b-dpo \
   --micro_train_batch_size 1 \
   --pretrain OpenRLHF/Llama-3-8b-sft-mixture \
   --beta 0.1
EOT
    # --wandb [WANDB_TOKENS]
if [[ ${1} != "slurm" ]]; then
    deepspeed --module $training_commands
fi
