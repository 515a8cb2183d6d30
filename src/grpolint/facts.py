"""The facts: quantities that several frameworks share, under one name each.

A framework's folder provides functions for the facts it knows (`frameworks/<name>/facts.py`); a rule asks for a fact by
name and works for every framework that provides it.
"""

from __future__ import annotations

__all__ = ["FACTS"]

FACTS: dict[str, str] = {
    # parallelism
    "nodes": "machines of the training job, int",
    "gpus_per_node": "accelerators on each machine, int",
    "world_size": "accelerators of the trainer, int: nodes * gpus_per_node, or the number of processes",
    "tp": "tensor parallel size of the trainer, int",
    "pp": "pipeline parallel size of the trainer, int",
    "cp": "context parallel size of the trainer, int",
    "sp": "sequence parallel (Ulysses) size of the trainer, int",
    "ep": "expert parallel size of the trainer, int",
    "dp": "data parallel size of the trainer, int",
    "rollout_tp": "tensor parallel size of the rollout engine, int",
    # the machines
    "gpu": "name of the accelerator, str",
    "gpu_capability": "CUDA compute capability of the accelerator, (major, minor)",
    "gpu_memory": "memory of the accelerator in GiB, int",
    # the algorithm
    "trainer_kind": "method of training: grpo, rloo, sft, dpo, kto, reward, distillation, str",
    "advantage": "advantage estimator in lower case: grpo, rloo, gae, reinforce_plus_plus, ...",
    "group_relative": "whether the advantage of a sample is relative to others of the same prompt, bool",
    "group_size": "responses sampled for each prompt, int",
    "distillation": "whether the run is on-policy distillation, where a group of one is normal, bool",
    "uses_critic": "whether a critic is trained, bool",
    "kl_in_reward": "whether a KL penalty is subtracted from the reward, bool",
    "kl_in_loss": "whether a KL term is added to the loss, bool",
    "group_by_prompt": "whether the responses of one prompt form one group, bool",
    "bypass_mode": "whether the rollout engine's log-probabilities stand for those of the old policy, bool",
    "dynamic_sampling": "whether prompts whose responses all have one reward are filtered and replaced, bool",
    "reward_shape": "outcome, shaped, ...: whether rewards are graded, str",
    "auxiliary_loss": "name of a loss beside that of the policy: echo, ..., str",
    "reward_kind": "function, model, or unknown text of what makes the reward, str",
    # batches
    "train_batch_prompts": "prompts of one rollout step over all devices, int",
    "mini_batch_prompts": "prompts of one optimizer step over all devices, int",
    "train_batch_samples": "responses of one rollout step over all devices, int",
    "micro_batch_per_gpu": "sequences of one forward and backward on one device, int",
    "gradient_accumulation": "micro batches of one optimizer step on one device, int",
    "dynamic_batch": "whether micro batches are packed by tokens instead of counted, bool",
    # optimizer and precision
    "optimizer": "optimizer in lower case: adamw, muon, sgd, ..., str",
    "learning_rate": "learning rate of the policy, float",
    "clip_norm": "gradient norm above which gradients are scaled down, float; 0 means clipping is off",
    "bf16": "whether bfloat16 training is switched on, bool",
    "fp16": "whether float16 training is switched on, bool",
    "torch_compile": "whether the policy is compiled, bool",
    "precision": "bf16, fp16 or fp32: the compute type of the trainer, str",
    "rollout_dtype": "compute type of the rollout engine: auto, bfloat16, float16, ..., str",
    # sharding
    "engine": "fsdp, fsdp2, megatron, deepspeed, ddp, ...: what shards the trainer, str",
    "zero_stage": "DeepSpeed ZeRO stage, int",
    "offload_optimizer": "device that holds optimizer states: cpu, nvme, none, str",
    "offload_params": "device that holds parameters: cpu, nvme, none, str",
    "fsdp_version": "1 or 2, int",
    "overlap_comm": "whether DeepSpeed reduces gradients on a stream of its own, bool",
    # rollout
    "rollout_engine": "vllm, sglang, hf, trtllm, ...: what generates, str",
    "rollout_colocated": "whether the rollout engine shares devices with the trainer, bool",
    "rollout_memory": "share of device memory that the rollout engine takes, float between 0 and 1",
    "enforce_eager": "whether the rollout engine runs without CUDA graphs, bool",
    "rollout_sleep": "whether the rollout engine frees its memory between steps (sleep mode), bool",
    "sleep_level": "vLLM sleep level, int",
    "weight_sync": "what carries weights to the rollout engine: naive, nccl, nixl, ..., str",
    "trainer_devices": "accelerators of the machine that the trainer takes, its first process's first, list of str",
    "server_devices": "accelerators of the machine that a rollout server of the same script takes, list of str",
    # LoRA
    "lora": "whether an adapter is trained instead of all parameters, bool",
    "lora_rank": "rank of the LoRA adapter, int; 0 means full fine-tuning",
    "lora_sync": "what reaches the rollout engine under LoRA: adapter or merged, str",
    "base_bits": "bits in which bitsandbytes holds the base model in training: 4, 8 or 16 (not quantized), int",
    "lora_alpha": "scaling numerator of the LoRA adapter, float",
    # model
    "model": "hub id or path of the policy, str",
    "moe": "whether the policy is a mixture of experts, bool",
    "experts": "routed experts of each layer, int",
    "experts_per_token": "routed experts that each token passes through, int",
    "expert_width": "channels inside one routed expert, int",
    "parameters": "parameters of the policy, int",
    "layers": "layers of the policy, int",
    "hidden_size": "channels of the policy's residual stream, int",
    "attention_heads": "query heads of the policy, int",
    "kv_heads": "key and value heads of the policy, int",
    "head_dim": "channels of one attention head of the policy, int",
    "vocabulary": "rows of the policy's embedding, int",
    "tied_embeddings": "whether the output head is the embedding, bool",
    "model_context": "longest sequence that the policy was made for, in tokens, int",
    "attention_kind": "full, sliding, latent (MLA) or hybrid (with linear attention), str",
    "router_dtype": "type in which the router of a mixture of experts computes: fp32, fp64, or that of the model, str",
    "router_replay": "whose choice of experts the trainer repeats: R2 (its own), R3 (the rollout engine's), off, str",
    "sparse_attention": "whether an indexer chooses what attention sees (DSA), bool",
    "indexer_replay": "whether the trainer repeats that choice as the rollout engine made it, bool",
    "multimodal": "whether the policy reads images, video or sound, bool",
    "quantized_weights": "whether the checkpoint holds weights in fewer than 16 bits, bool",
    # lengths, in tokens
    "prompt_length": "longest prompt that is kept, int",
    "response_length": "longest response that is sampled, int",
    "context_length": "longest sequence that the rollout engine accepts, int",
    # the shell
    "open_files": "limit of open files that the script sets (`ulimit -n`), int",
    "container": "what starts the program in a container: docker run, docker exec, ..., str",
    "launcher": "what starts the processes of the program: torchrun, deepspeed or accelerate, str",
    "slurm_step": "srun, where it starts the program, str",
    "ray_job": "ray job submit, where it starts the program, str",
    "ray_commands": "commands of Ray that the script runs before the launch, int",
    "unexported": "variables of the environment that the script assigns and does not export, int",
    "left_behind": "variables that the script exports and that do not reach the program, int",
    "lost_assignments": "assignments that bash does not take for any, int",
    "nccl_variables": "variables that begin with NCCL_, int",
    "torch_nccl_variables": "variables that begin with TORCH_NCCL_, int",
    "ray_variables": "variables that begin with RAY_, int",
    "hccl_variables": "variables that begin with HCCL_, int",
    # checkpoints
    "save_every": "steps between checkpoints, int; 0 or less means never",
}
"""Name of each fact and what it means, with its type and unit. Values are `grpolint.values.Value`."""
