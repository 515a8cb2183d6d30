#!/bin/bash
# The newer shape: groups of options as arrays.
rollout_mode="async"
if [ "$rollout_mode" = "async" ]; then
    return_raw_chat="True"
fi
offload=True
gen_tp=2
DATA=(
    data.train_files="${TRAIN_FILE:-/data/dapo.parquet}"
    data.return_raw_chat=$return_raw_chat
    data.truncation='left'
)
ACTOR=(
    actor_rollout_ref.actor.fsdp_config.param_offload=${offload}
    actor_rollout_ref.actor.clip_ratio_low=0.2
    actor_rollout_ref.actor.clip_ratio_high=0.28
)
ROLLOUT=(
    actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}
    actor_rollout_ref.rollout.mode=$rollout_mode
)
python3 -m verl.trainer.main_ppo \
    --config-path=./config --config-name='ppo_megatron_trainer' \
    "${DATA[@]}" "${ACTOR[@]}" "${ROLLOUT[@]}" \
    trainer.total_epochs=10 \
    "$@"
