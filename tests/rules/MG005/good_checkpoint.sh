#!/bin/bash
# The architecture, the number of experts included, is read from the checkpoint.
export CUDA_DEVICE_MAX_CONNECTIONS=1
CHECKPOINT=${1:?folder of the checkpoint}
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \
    --use-checkpoint-args \
    --load "$CHECKPOINT" \
    --finetune \
    --tensor-model-parallel-size 2 \
    --expert-model-parallel-size 4 \
    --sequence-parallel \
    --micro-batch-size 1 \
    --global-batch-size 64 \
    --lr 1e-5 \
    --train-iters 200 \
    --bf16 \
    --use-distributed-optimizer \
    --data-path data/corpus_text_document
