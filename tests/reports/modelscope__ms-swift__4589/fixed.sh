CUDA_VISIBLE_DEVICES=0,1 \
NPROC_PER_NODE=2 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-VL-3B-Instruct \
    --external_plugins plugin.py \
    --reward_funcs external_duration \
    --use_vllm false \
    --train_type lora \
    --dataset clips.json \
    --max_completion_length 512 \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 2 \
    --split_dataset_ratio 0 \
    --num_generations 4 \
    --deepspeed zero3
