#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nproc_per_node 8 --nnodes 1 train_rl.py \
    --num-layers 24 \
    --hidden-size 2048 \
    --num-attention-heads 16 \
    --seq-length 4096 \
    --max-position-embeddings 4096 \
    --lr 1e-5 \
    --train-iters 500 \
    --bf16 \
    --use-distributed-optimizer \
    --data-path data/corpus_text_document \
    --split 99,1,0 \
    --save ckpt \
    --save-interval 100 \
    --perform-rl-step \
    --grpo-prompts-per-step 32 \
    --grpo-group-size 8 \
    --grpo-iterations 1 \
    --global-batch-size 256 \
    --micro-batch-size 1
