#!/bin/bash
# slime: sourced model arguments, groups, ray, JSON with expansions.
pkill -9 sglang
sleep 0
ray stop --force
set -ex
export PYTHONBUFFERED=16
NVLINK_COUNT=4
if [ "$NVLINK_COUNT" -gt 0 ]; then HAS_NVLINK=1; else HAS_NVLINK=0; fi
SCRIPT_DIR="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" &>/dev/null && pwd)"
source "${SCRIPT_DIR}/lib/model.sh"
CKPT_ARGS=(
   --hf-checkpoint /root/Qwen3-4B
   #--ref-load /root/Qwen3-4B_torch_dist
   --save-interval 20
)
GRPO_ARGS=(
   --advantage-estimator grpo
   --kl-loss-coef 0.00
   --eps-clip-high 0.28
)
export MASTER_ADDR=${MASTER_ADDR:-"127.0.0.1"}
ray start --head --node-ip-address ${MASTER_ADDR} --num-gpus 8 --disable-usage-stats
RUNTIME_ENV_JSON="{
  \"env_vars\": {
    \"PYTHONPATH\": \"/root/Megatron-LM/\",
    \"CUDA_DEVICE_MAX_CONNECTIONS\": \"1\",
    \"NCCL_NVLS_ENABLE\": \"${HAS_NVLINK}\"
  }
}"
ray job submit --address="http://127.0.0.1:8265" \
   --runtime-env-json="${RUNTIME_ENV_JSON}" \
   -- python3 train.py \
   --actor-num-nodes 1 \
   --actor-num-gpus-per-node 8 \
   --colocate \
   ${MODEL_ARGS[@]} \
   ${CKPT_ARGS[@]} \
   ${GRPO_ARGS[@]}
