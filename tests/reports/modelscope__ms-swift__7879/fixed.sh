NPROC_PER_NODE=6 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --reward_funcs accuracy format \
    --use_vllm true \
    --vllm_mode server \
    --vllm_server_host 10.0.0.2 \
    --vllm_server_port 8000 \
    --train_type full \
    --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size 4 \
    --num_generations 8 \
    --deepspeed zero2
