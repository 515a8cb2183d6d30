#!/bin/bash
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --tuner_type full \
    --torch_dtype bfloat16 \
    --dataset my/maths \
    --reward_funcs accuracy format \
    --use_vllm true \
    --vllm_mode colocate \
    --vllm_gpu_memory_utilization 0.5 \
    --vllm_max_model_len 6144 \
    --sleep_level 1 \
    --offload_optimizer true \
    --num_generations 8 \
    --max_length 2048 \
    --max_completion_length 4096 \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 2 \
    --learning_rate 1e-6 \
    --deepspeed zero3 \
    --beta 0.001 \
    --output_dir output \
    --importance_sampling_level sequence \
    --num_iterations 2
