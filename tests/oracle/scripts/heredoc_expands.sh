#!/bin/bash
# An unquoted here-document read into a variable.
N=8
read -r -d '' CMD << EOT
openrlhf.cli.train_ppo_ray \
   --actor_num_gpus_per_node $N \
   --zero_stage 2
EOT
python3 -m $CMD --last 1
