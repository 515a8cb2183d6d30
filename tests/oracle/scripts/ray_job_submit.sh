#!/bin/bash
# ray job submit with a runtime environment in JSON.
MASTER=127.0.0.1
RUNTIME_ENV_JSON="{
  \"env_vars\": {
    \"PYTHONPATH\": \"/root/Megatron-LM/\",
    \"CUDA_DEVICE_MAX_CONNECTIONS\": \"1\",
    \"NCCL_NVLS_ENABLE\": \"${HAS_NVLINK:-0}\"
  }
}"
ray stop --force
ray start --head --num-gpus 8
ray job submit --address="http://${MASTER}:8265" --runtime-env-json="${RUNTIME_ENV_JSON}" -- python3 train.py --actor-num-nodes 1 --colocate
