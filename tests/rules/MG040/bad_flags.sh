#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=6
MODEL_ARGS=(
    --num-layers 36
    --hidden-size 2560
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --seq-length 4096
    --max-position-embeddings 40960
    --vocab-size 151936
)
torchrun --nproc_per_node $GPUS_PER_NODE --nnodes 1 pretrain_gpt.py "${MODEL_ARGS[@]}" \
    --tensor-model-parallel-size 6 \
    --micro-batch-size 2 \
    --global-batch-size 240 \
    --lr 1e-5 \
    --train-iters 500 \
    --bf16 \
    --use-distributed-optimizer \
    --data-path data/corpus_text_document \
    --save ckpt \
    --save-interval 100
