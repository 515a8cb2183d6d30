#!/bin/bash
torchrun --nproc_per_node 8 pretrain_gpt.py \
    --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \
    --seq-length 2048 --max-position-embeddings 2048 \
    --micro-batch-size 2 --global-batch-size 64 \
    --train-iters 1000 --lr 1.0e-4 \
    --tensor-model-parallel-size 1 --pipeline-model-parallel-size 1 \
    --use-distributed-optimizer \
    --overlap-param-gather \
    --bf16 \
    --data-path corpus_text_document \
    --tokenizer-type HuggingFaceTokenizer --tokenizer-model Qwen/Qwen2.5-1.5B
