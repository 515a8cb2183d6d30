#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
ARGS="--tensor-model-parallel-size 4 --pipeline-model-parallel-size 1 --tp-comm-overlap"
torchrun --nproc_per_node 8 pretrain_gpt.py $ARGS \
    --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \
    --seq-length 4096 --max-position-embeddings 4096 \
    --micro-batch-size 1 --global-batch-size 32 --train-iters 500 --lr 3e-4 --bf16 \
    --data-path corpus_text_document --tokenizer-type HuggingFaceTokenizer --tokenizer-model meta-llama/Llama-2-7b-hf
