"""Facts that were read in the releases by eye; a change of a default decides what a run does."""

from __future__ import annotations

import pytest

from grpolint.catalog import config_files, table
from grpolint.values import Default, Unknown

ABSENT = "absent"
REQUIRED = "required"


def effective(framework: str, name: str, version: str, key: str):
    options = table(framework, name, version)
    option = options.option(key) if options is not None else None
    if option is None:
        return ABSENT
    if option.default is None:
        return REQUIRED
    assert isinstance(option.default, Default), option
    assert option.default.version == version
    return option.default.value


@pytest.mark.parametrize(
    ("framework", "name", "key", "by_version"),
    [
        ("deepspeed", "config", "gradient_clipping", {"0.19.2": 0.0, "0.19.3": 1.0}),
        ("deepspeed", "config", "bf16.check_grad_overflow", {"0.19.2": False, "0.19.3": True}),
        ("deepspeed", "config", "zero_optimization.offload_optimizer.pin_memory", {"0.19.4": False, "0.19.5": True}),
        ("deepspeed", "config", "zero_optimization.reduce_bucket_size", {"0.19.8": 500_000_000}),
        ("deepspeed", "config", "zero_optimization.stage3_prefetch_bucket_size", {"0.19.8": 50_000_000}),
        ("deepspeed", "config", "fp16.initial_scale_power", {"0.16.0": 16, "0.19.8": 16}),
        ("trl", "GRPOConfig", "beta", {"0.18.2": 0.04, "0.19.0": 0.0}),
        ("trl", "GRPOConfig", "temperature", {"0.17.0": 0.9, "0.18.0": 1.0}),
        ("trl", "GRPOConfig", "loss_type", {"0.16.1": ABSENT, "0.21.0": "bnpo", "0.22.0": "dapo"}),
        ("trl", "GRPOConfig", "scale_rewards", {"0.21.0": True, "0.22.0": "group"}),
        ("trl", "GRPOConfig", "vllm_mode", {"0.29.0": "server", "1.0.0": "colocate"}),
        ("trl", "GRPOConfig", "max_completion_length", {"1.9.0": 256, "1.10.0": 512}),
        ("trl", "GRPOConfig", "max_prompt_length", {"0.25.0": 512, "0.28.0": ABSENT}),
        ("trl", "GRPOConfig", "bf16", {"1.16.0": None}),
        ("transformers", "fsdp_config", "version", {"5.9.0": 1, "5.10.1": 2}),
        ("transformers", "TrainingArguments", "report_to", {"4.57.6": None, "5.0.0": "none"}),
        ("transformers", "TrainingArguments", "warmup_ratio", {"5.15.0": ABSENT}),
        ("transformers", "TrainingArguments", "max_grad_norm", {"4.48.0": 1.0, "5.24.0": 1.0}),
        ("transformers", "TrainingArguments", "per_device_train_batch_size", {"5.24.0": 8}),
        ("accelerate", "launch", "fsdp_version", {"1.15.0": "1"}),
        ("accelerate", "config", "distributed_type", {"1.15.0": REQUIRED}),
        ("accelerate", "config", "use_cpu", {"1.15.0": False}),
        ("accelerate", "config", "mixed_precision", {"1.15.0": None}),
        ("accelerate", "config", "fsdp_config.fsdp_offload_params", {"1.15.0": "false"}),
        ("peft", "lora", "r", {"0.14.0": 8, "0.21.2": 8}),
        ("peft", "lora", "lora_alpha", {"0.21.2": 8}),
        ("verl", "ppo_trainer", "actor_rollout_ref.rollout.n", {"0.4.0": 1, "0.9.1": 1}),
        ("verl", "ppo_trainer", "actor_rollout_ref.actor.entropy_coeff", {"0.3.0.post1": 0.001, "0.4.0": 0}),
        ("verl", "ppo_trainer", "actor_rollout_ref.rollout.name", {"0.5.0": "vllm", "0.6.0": REQUIRED}),
        ("verl", "ppo_trainer", "actor_rollout_ref.rollout.mode", {"0.6.1": "sync", "0.7.0": "async"}),
        ("verl", "ppo_trainer", "actor_rollout_ref.actor.optim.lr", {"0.9.1": 1e-6}),
        ("verl", "ppo_trainer", "actor_rollout_ref.rollout.calculate_log_probs", {"0.8.0": False, "0.9.0": True}),
        ("verl", "ppo_trainer", "reward.reward_model.enable", {"0.7.0": ABSENT, "0.7.1": False}),
        ("verl", "ppo_trainer", "algorithm.adv_estimator", {"0.9.1": "gae"}),
        ("verl", "ppo_megatron_trainer", "actor_rollout_ref.actor.strategy", {"0.9.1": "megatron"}),
        ("openrlhf", "train_ppo_ray", "zero_stage", {"0.10.1.post2": 2, "0.10.2": ABSENT}),
        ("openrlhf", "train_ppo_ray", "ds.zero_stage", {"0.10.1.post2": ABSENT, "0.10.2": 2}),
        ("openrlhf", "train_ppo_ray", "actor.adam.lr", {"0.11.2": 1e-6}),
        ("openrlhf", "train_ppo_ray", "critic.adam.lr", {"0.11.2": 9e-6}),
        ("openrlhf", "train_ppo_ray", "micro_train_batch_size", {"0.9.10": 4, "0.10.0": 1}),
    ],
)
def test_default(framework, name, key, by_version):
    assert {version: effective(framework, name, version, key) for version in by_version} == by_version


def test_what_code_decides_is_unknown_not_a_guess():
    config = table("deepspeed", "config", "0.19.8")
    assert config.default("zero_optimization.overlap_comm") == Unknown("computed:stage == 3")
    assert isinstance(config.default("train_batch_size"), Unknown)
    optim = table("transformers", "TrainingArguments", "5.24.0").default("optim")
    assert optim == Unknown("computed:adamw_torch_fused or adamw_torch, by the version of torch")


def test_interpolations_of_verl_are_computed():
    option = table("verl", "ppo_trainer", "0.9.1").option("actor_rollout_ref.actor.ppo_max_token_len_per_gpu")
    assert "default" in option.record
    kept = table("verl", "ppo_trainer", "0.9.1").default("actor_rollout_ref.ref.log_prob_use_dynamic_bsz")
    assert isinstance(kept, Unknown)
    assert kept.reason.startswith("computed:${oc.select:")


def test_keys_that_only_a_dataclass_has_need_a_plus():
    options = table("verl", "ppo_trainer", "0.9.1")
    assert options.option("actor_rollout_ref.model.target_parameters").record["plus"]
    assert "plus" not in options.option("actor_rollout_ref.model.lora_rank").record
    fields = table("verl", "dataclass", "0.9.1")
    assert fields.option("verl.workers.config.RolloutConfig.max_num_seqs").record["default"] == 1024


def test_sections_of_deepspeed_forbid_or_ignore_what_they_do_not_know():
    sections = table("deepspeed", "section", "0.19.8")
    assert {name: sections.option(name).record["extra"] for name in ("", "zero_optimization", "fp16", "aio")} == {
        "": "ignore",
        "zero_optimization": "forbid",
        "fp16": "forbid",
        "aio": "ignore",
    }


def test_sections_that_deepspeed_came_to_refuse():
    assert table("deepspeed", "config", "0.19.8").option("elasticity").record == {
        "removed": True,
        "source": "deepspeed/runtime/config.py",
    }
    assert "removed" not in table("deepspeed", "config", "0.19.7").option("elasticity").record
    assert table("deepspeed", "config", "0.19.7").option("nebula").record["removed"]
    assert table("deepspeed", "config", "0.19.8").option("zero_optimization.mics_shard_size").record["removed"]


def test_deprecated_options_name_their_successor():
    record = table("deepspeed", "config", "0.19.8").option("zero_optimization.cpu_offload").record
    assert (record["deprecated"], record["replaced_by"]) == (True, "offload_optimizer")


def test_flags_choices_and_arity_of_a_command_line():
    options = table("openrlhf", "train_ppo_ray", "0.11.2")
    assert options.option("actor.eps_clip_low_high").record["nargs"] == 2
    assert options.option("ds.adam_offload").record == {
        "type": "bool",
        "default": False,
        "flags": ["--ds.adam_offload"],
        "nargs": 0,
        "source": "openrlhf/cli/train_ppo_ray.py",
    }
    assert options.option("algo.kl.estimator").record["choices"] == ["k1", "k2", "k3"]


def test_the_package_directive_of_a_hydra_file_is_kept():
    text = config_files("verl", "0.9.1")["model_engine/dp.yaml"].text
    assert text == '# @package _global_\n{"model_engine": "dp"}\n'
