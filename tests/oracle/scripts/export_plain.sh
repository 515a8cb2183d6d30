#!/bin/bash
# Exported variables reach the program, others do not.
export VLLM_ATTENTION_BACKEND=FLASH_ATTN
export NCCL_DEBUG=WARN HYDRA_FULL_ERROR=1
LOCAL_ONLY=5
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=$LOCAL_ONLY
