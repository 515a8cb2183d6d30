"""Facts that several frameworks provide under one name, each from what its release reads."""

from __future__ import annotations

import pytest
from framework_runs import fact, run_of

from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.values import Unknown
from grpolint.world import Supplied

VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.name=vllm"
OPENRLHF = "python3 -m openrlhf.cli.train_ppo_ray --vllm.num_engines 8 --train.colocate_all"
OLD_OPENRLHF = "python3 -m openrlhf.cli.train_ppo_ray --vllm_num_engines 8 --pretrain a/b --n_samples_per_prompt 8"
MEGATRON = (
    "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 512 --num-attention-heads 8 --bf16"
    " --tensor-model-parallel-size 1 --micro-batch-size 1 --seq-length 4096"
)
TRL = "trl grpo --model_name_or_path Qwen/Qwen3-8B --dataset_name d"
LORA = " actor_rollout_ref.model.lora_rank=32"
REPLAY = " actor_rollout_ref.actor.megatron.router_replay.mode="

CASES = [
    # verl
    (VERL, "verl==0.9.1", {"group_by_prompt": True, "bypass_mode": False, "dynamic_sampling": False}),
    (VERL + " algorithm.rollout_correction.bypass_mode=True", "verl==0.8.0", {"bypass_mode": True}),
    (VERL, "verl==0.5.0", {"bypass_mode": False, "weight_sync": "naive", "sleep_level": 1}),
    (VERL + " algorithm.filter_groups.enable=True", "verl==0.9.1", {"dynamic_sampling": True}),
    (VERL + " +algorithm.filter_groups.enable=True", "verl==0.8.0", {"dynamic_sampling": False}),
    (VERL, "verl==0.9.1", {"bf16": True, "fp16": False, "torch_compile": False, "lora_sync": None}),
    (VERL + " actor_rollout_ref.rollout.checkpoint_engine.backend=nccl", "verl==0.9.1", {"weight_sync": "naive"}),
    (VERL + " actor_rollout_ref.rollout.checkpoint_engine.backend=nccl", "verl==0.8.0", {"weight_sync": "nccl"}),
    (
        VERL + " actor_rollout_ref.rollout.checkpoint_engine.backend=nccl trainer.v1.trainer_mode=separate_async",
        "verl==0.9.1",
        {"weight_sync": "nccl", "rollout_colocated": False, "sleep_level": None},
    ),
    (VERL, "verl==0.9.1", {"sleep_level": 2}),
    (VERL + " actor_rollout_ref.rollout.free_cache_engine=False", "verl==0.9.1", {"sleep_level": None}),
    (VERL.replace("vllm", "sglang"), "verl==0.9.1", {"sleep_level": None}),
    (VERL + LORA, "verl==0.9.1", {"sleep_level": 1, "lora_sync": "adapter"}),
    (
        VERL + LORA + " actor_rollout_ref.model.lora.merge=True",
        "verl==0.9.1",
        {"sleep_level": 2, "lora_sync": "merged"},
    ),
    (
        VERL + " actor_rollout_ref.model.mtp.enable=True actor_rollout_ref.model.mtp.enable_rollout=True",
        "verl==0.9.1",
        {"sleep_level": 1},
    ),
    (VERL + " trainer.device=npu", "verl==0.8.0", {"sleep_level": 1}),
    (VERL, "verl==0.6.1", {"sleep_level": "<version:vllm>"}),
    (VERL + " +actor_rollout_ref.rollout.layered_summon=True", "verl==0.6.1", {"sleep_level": 1}),
    (
        VERL + " --config-name=ppo_megatron_trainer"
        " +actor_rollout_ref.actor.megatron.override_transformer_config.moe_router_dtype=fp32" + REPLAY + "R3",
        "verl==0.9.1",
        {"router_dtype": "fp32", "router_replay": "R3"},
    ),
    (VERL + " --config-name=ppo_megatron_trainer", "verl==0.9.1", {"router_dtype": None, "router_replay": "off"}),
    (VERL + " model_engine=torchtitan", "verl==0.9.1", {"torch_compile": True}),
    # TRL
    (
        TRL + " --use_vllm --vllm_mode colocate --use_peft --lora_r 32",
        "trl==1.16.0",
        {
            "group_by_prompt": True,
            "bypass_mode": False,
            "dynamic_sampling": False,
            "weight_sync": "naive",
            "lora_sync": "merged",
            "enforce_eager": False,
            "bf16": True,
            "fp16": False,
            "torch_compile": False,
        },
    ),
    (TRL + " --use_vllm --vllm_mode server", "trl==1.16.0", {"weight_sync": "nccl", "lora_sync": None}),
    (TRL, "trl==1.16.0", {"weight_sync": None, "enforce_eager": None}),
    (TRL + " --fp16 true", "trl==1.16.0", {"bf16": False, "fp16": True}),
    (TRL + " --torch_compile_mode max-autotune", "trl==1.16.0", {"torch_compile": True}),
    # OpenRLHF
    (
        OPENRLHF + " --algo.dynamic_filtering_enable --ds.overlap_comm",
        "openrlhf==0.11.2",
        {"dynamic_sampling": True, "overlap_comm": True, "weight_sync": "cuda_ipc", "bf16": True, "fp16": False},
    ),
    (
        OPENRLHF.replace(" --train.colocate_all", "") + " --vllm.sync_backend gloo --ds.param_dtype fp16",
        "openrlhf==0.11.2",
        {"weight_sync": "gloo", "overlap_comm": False, "bf16": False, "fp16": True},
    ),
    (
        OLD_OPENRLHF + " --vllm_sync_backend nccl --dynamic_filtering --overlap_comm",
        "openrlhf==0.9.0",
        {"weight_sync": "nccl", "dynamic_sampling": True, "overlap_comm": True},
    ),
    # Megatron
    (
        MEGATRON + " --num-experts 64",
        "megatron==0.19.2",
        {"bf16": True, "fp16": False, "experts": 64, "router_dtype": "bf16", "router_replay": "off"},
    ),
    (MEGATRON + " --num-experts 64 --moe-router-dtype fp32", "megatron==0.19.2", {"router_dtype": "fp32"}),
    (MEGATRON, "megatron==0.19.2", {"experts": None, "router_dtype": None, "sparse_attention": False}),
    (MEGATRON + " --experimental-attention-variant dsa", "megatron==0.19.2", {"sparse_attention": True}),
    # accelerate
    (
        "accelerate launch --mixed_precision bf16 --dynamo_backend inductor --use_fsdp --num_processes 8 my_train.py",
        "accelerate==1.15.0",
        {"bf16": True, "fp16": False, "torch_compile": True},
    ),
]


@pytest.mark.parametrize(("line", "release", "expected"), CASES, ids=[f"{c[1]}: {','.join(c[2])}" for c in CASES])
def test_what_decides(line, release, expected):
    name, _, version = release.partition("==")
    run = run_of(line, versions={name: version})
    assert {each: fact(run, each) for each in expected} == expected


def test_a_fork_of_verl_may_group_by_anything():
    run = run_of(VERL.replace("verl.trainer", "mylab.trainer") + LORA)
    assert isinstance(run.fact("group_by_prompt"), Unknown)


@pytest.mark.parametrize(
    ("stage", "written", "expected"),
    [(3, "", True), (2, "", False), (2, ', "overlap_comm": true', True), (3, ', "overlap_comm": false', False)],
)
def test_overlap_comm_by_stage(stage, written, expected):
    text = '{"train_batch_size": 8, "fp16": {"enabled": true}, "zero_optimization": {"stage": STAGE}}'
    text = text.replace("STAGE", f"{stage}{written}")
    run = read(Source("ds.json", text), Supplied(versions={"deepspeed": "0.19.8"})).runs[0]
    assert fact(run, "overlap_comm") is expected
    assert (fact(run, "fp16"), fact(run, "bf16")) == (True, False)
    assert fact(run, "torch_compile") == "<computed:whether the program compiles the model>"
