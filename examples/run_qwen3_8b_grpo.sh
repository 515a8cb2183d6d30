#!/usr/bin/env bash
#SBATCH --job-name=qwen3-8b-grpo
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8
# GRPO on Qwen3-8B with a LoRA adapter and vLLM rollouts. It starts and trains; grpolint says what is wrong with it.
set -xeuo pipefail

export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

MODEL_PATH=${MODEL_PATH:-Qwen/Qwen3-8B}
DATA_DIR=${DATA_DIR:-$HOME/data/gsm8k}
NGPUS=8
TRAIN_BATCH=100
MAX_PROMPT=1024
MAX_RESPONSE=8192

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
    actor_rollout_ref.rollout.max_model_len=8192
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    algorithm.use_kl_in_reward=False \
    data.train_files="$DATA_DIR/train.parquet" \
    data.val_files="$DATA_DIR/test.parquet" \
    data.train_batch_size=$TRAIN_BATCH \
    data.max_prompt_length=$MAX_PROMPT \
    data.max_response_length=$MAX_RESPONSE \
    actor_rollout_ref.model.path="$MODEL_PATH" \
    actor_rollout_ref.model.lora_rank=64 \
    actor_rollout_ref.model.lora_alpha=32 \
    actor_rollout_ref.actor.optim.lr=3e-6 \
    actor_rollout_ref.actor.ppo_mini_batch_size=128 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8 \
    "${ROLLOUT[@]}" \
    trainer.n_gpus_per_node=$NGPUS \
    trainer.nnodes=1 \
    trainer.total_epochs=3 \
    # sample eight answers to each question
    actor_rollout_ref.rollout.n=8 \
    trainer.save_freq=20 "$@"
