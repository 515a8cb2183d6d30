#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
torchrun --nproc_per_node $GPUS_PER_NODE --nnodes 1 pretrain_gpt.py \
    --tensor-model-parallel-size 2 \
    --num-layers 24 \
    --hidden-size 2048 \
    --num-attention-heads 16 \
    --seq-length 4096 \
    --max-position-embeddings 4096 \
    --micro-batch-size 2 \
    --global-batch-size 128 \
    --lr 1e-5 \
    --train-iters 500 \
    --bf16 \
    --use-distributed-optimizer \
    --data-path data/corpus_text_document \
    --save ckpt \
    --save-interval 100 \
    --expert-model-parallel-size 4 \
    --num-experts 64 \
    --moe-router-dtype fp32 \
    --disable-bias-linear \
    --moe-router-topk 8 \
    --sequence-parallel
