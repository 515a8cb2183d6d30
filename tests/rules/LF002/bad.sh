#!/bin/bash
cat > ds.json <<'EOF'
{"zero_optimization": {"stage": 3, "overlap_comm": false, "stage3_gather_16bit_weights_on_model_save": true}, "bf16": {"enabled": "auto"}, "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto", "gradient_clipping": "auto", "train_batch_size": "auto"}
EOF
CUDA_VISIBLE_DEVICES=0,1,2,3 llamafactory-cli train \
    --model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --stage sft \
    --do_train true \
    --finetuning_type full \
    --dataset mine \
    --template qwen \
    --cutoff_len 2048 \
    --output_dir saves/sft \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 8 \
    --learning_rate 1.0e-5 \
    --num_train_epochs 3.0 \
    --lr_scheduler_type cosine \
    --warmup_ratio 0.1 \
    --deepspeed ds.json \
    --pure_bf16 true
