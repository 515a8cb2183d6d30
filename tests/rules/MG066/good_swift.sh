#!/usr/bin/env bash
NPROC_PER_NODE=8 \
megatron sft \
    --model Qwen/Qwen3-8B \
    --dataset data/train.jsonl \
    --fp8_recipe blockwise \
    --fp8_format e4m3 \
    --fp8_param_gather true \
    --tensor_model_parallel_size 2 \
    --sequence_parallel true \
    --micro_batch_size 2 \
    --global_batch_size 64 \
    --max_length 4096 \
    --lr 1e-5 \
    --output_dir out
