#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \
    --num-layers 24 \
    --hidden-size 2048 \
    --num-attention-heads 16 \
    --seq-length 4096 \
    --max-position-embeddings 4096 \
    --micro-batch-size 2 \
    --lr 1e-5 \
    --train-iters 500 \
    --bf16 \
    --use-distributed-optimizer \
    --data-path data/corpus_text_document \
    --split 99,1,0 \
    --save ckpt \
    --save-interval 100 \
    --rampup-batch-size 32 48 100000 \
    --global-batch-size 256
