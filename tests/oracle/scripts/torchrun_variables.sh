#!/bin/bash
# torchrun with variables and defaults of a cluster.
GPUS_PER_NODE=${GPUS_PER_NODE:-8}
NNODES=${NNODES:-1}
DISTRIBUTED_ARGS="--nproc_per_node $GPUS_PER_NODE --nnodes $NNODES --node_rank ${NODE_RANK:-0} --master_addr ${MASTER_ADDR:-localhost} --master_port ${MASTER_PORT:-6000}"
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py --tensor-model-parallel-size 2 --num-layers 24
