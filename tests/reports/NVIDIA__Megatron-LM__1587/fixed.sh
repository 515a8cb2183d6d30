#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
MOE_ARGS=(
    --num-experts 8
    --moe-router-topk 2
    --expert-model-parallel-size 2
)
torchrun --nproc_per_node 8 pretrain_gpt.py "${MOE_ARGS[@]}" \
    --tensor-model-parallel-size 2 --sequence-parallel --disable-bias-linear \
    --num-layers 16 --hidden-size 2048 --num-attention-heads 16 \
    --seq-length 4096 --max-position-embeddings 4096 \
    --micro-batch-size 1 --global-batch-size 64 --train-iters 1000 --lr 1e-4 --bf16 \
    --data-path corpus_text_document --tokenizer-type HuggingFaceTokenizer --tokenizer-model Qwen/Qwen2.5-1.5B
