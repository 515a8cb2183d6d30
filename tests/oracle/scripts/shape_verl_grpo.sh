#!/bin/bash
# The usual shape of a verl launcher: exports, defaults, a long command, "$@".
set -x
export VLLM_USE_V1=1
export TOKENIZERS_PARALLELISM=true
MODEL_PATH=${MODEL_PATH:-Qwen/Qwen3-8B}
DATA_DIR=${DATA_DIR:-$HOME/data/gsm8k}
n_gpus=${N_GPUS:-8}
rollout_n=5
train_bs=1024
max_prompt=512
max_response=$((1024 * 2))
project="verl_grpo_${MODEL_PATH##*/}"

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$DATA_DIR/train.parquet \
    data.val_files="['$DATA_DIR/test.parquet']" \
    data.train_batch_size=${train_bs} \
    data.max_prompt_length=$max_prompt \
    data.max_response_length=$max_response \
    actor_rollout_ref.model.path=$MODEL_PATH \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=$((max_prompt + max_response)) \
    actor_rollout_ref.actor.ppo_mini_batch_size=$((train_bs / 4)) \
    actor_rollout_ref.rollout.n=$rollout_n \
    actor_rollout_ref.rollout.name=${ENGINE:-vllm} \
    algorithm.use_kl_in_reward=False \
    trainer.logger='["console","wandb"]' \
    trainer.project_name="$project" \
    trainer.n_gpus_per_node=$n_gpus \
    trainer.nnodes=1 $@
