#!/bin/bash
# Head and workers by rank.
NODE_RANK=${NODE_RANK:-0}
HEAD=10.0.0.1
if [ "$NODE_RANK" -eq 0 ]; then
  ray start --head --port 6379
  python3 -m verl.trainer.main_ppo trainer.nnodes=2
else
  ray start --address "$HEAD:6379" --block
fi
