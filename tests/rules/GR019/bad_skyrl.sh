#!/usr/bin/env bash
set -x

: "${DATA_DIR:="$HOME/data/gsm8k"}"
: "${NUM_GPUS:=4}"

uv run --isolated --extra fsdp -m skyrl.train.entrypoints.main_base \
    data.train_data="['$DATA_DIR/train.parquet']" \
    data.val_data="['$DATA_DIR/validation.parquet']" \
    trainer.algorithm.advantage_estimator=grpo \
    trainer.policy.model.path=Qwen/Qwen2.5-1.5B-Instruct \
    trainer.placement.colocate_all=true \
    trainer.strategy=fsdp2 \
    trainer.placement.policy_num_gpus_per_node=$NUM_GPUS \
    trainer.placement.ref_num_gpus_per_node=$NUM_GPUS \
    generator.inference_engine.num_engines=$NUM_GPUS \
    generator.inference_engine.tensor_parallel_size=1 \
    generator.inference_engine.gpu_memory_utilization=0.8 \
    trainer.epochs=20 \
    trainer.micro_forward_batch_size_per_gpu=64 \
    trainer.micro_train_batch_size_per_gpu=64 \
    trainer.max_prompt_length=512 \
    generator.sampling_params.max_generate_length=1024 \
    trainer.policy.optimizer_config.lr=1.0e-6 \
    trainer.algorithm.use_kl_loss=true \
    generator.n_samples_per_prompt=8 \
    environment.env_class=gsm8k \
    trainer.train_batch_size=512 \
    trainer.policy_mini_batch_size=512 \
    trainer.algorithm.lambd=0.95 \
    "$@"
