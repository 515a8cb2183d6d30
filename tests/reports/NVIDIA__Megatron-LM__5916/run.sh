#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nproc_per_node 8 pretrain_gpt.py \
    --tensor-model-parallel-size 2 --sequence-parallel \
    --num-experts 8 --moe-router-topk 2 --expert-model-parallel-size 4 \
    --moe-router-load-balancing-type aux_loss --moe-aux-loss-coeff 1e-2 \
    --disable-bias-linear \
    --num-layers 16 --hidden-size 2048 --num-attention-heads 16 \
    --seq-length 4096 --max-position-embeddings 4096 \
    --micro-batch-size 1 --global-batch-size 64 --train-iters 1000 --lr 1e-4 --clip-grad 1.0 --bf16 \
    --use-distributed-optimizer \
    --data-path corpus_text_document --tokenizer-type HuggingFaceTokenizer --tokenizer-model Qwen/Qwen2.5-1.5B
