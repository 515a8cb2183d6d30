"""Facts of vLLM, SGLang, Megatron and the frameworks built on them, read in the releases by eye."""

from __future__ import annotations

import pytest

from grpolint.catalog import config_files, table
from grpolint.values import Default, Unknown

ABSENT = "absent"


def effective(framework: str, name: str, version: str, key: str):
    options = table(framework, name, version)
    option = options.option(key) if options is not None else None
    if option is None:
        return ABSENT
    assert isinstance(option.default, Default), option
    assert option.default.version == version
    return option.default.value


def record(framework: str, name: str, version: str, key: str):
    return table(framework, name, version).option(key).record


@pytest.mark.parametrize(
    ("framework", "name", "key", "by_version"),
    [
        ("vllm", "engine", "gpu_memory_utilization", {"0.8.5": 0.9, "0.19.1": 0.9, "0.20.0": 0.92, "0.33.0": 0.92}),
        ("vllm", "engine", "max_lora_rank", {"0.7.0": 16, "0.33.0": 16}),
        ("vllm", "engine", "generation_config", {"0.7.3": None, "0.8.0": "auto"}),
        ("vllm", "engine", "seed", {"0.7.3": 0, "0.8.0": None, "0.11.2": None, "0.12.0": 0}),
        ("vllm", "engine", "async_scheduling", {"0.9.2": ABSENT, "0.13.0": False, "0.14.0": None}),
        ("vllm", "engine", "disable_cascade_attn", {"0.17.1": False, "0.18.0": True}),
        ("vllm", "engine", "swap_space", {"0.17.1": 4, "0.18.0": ABSENT}),
        ("vllm", "engine", "logprobs_mode", {"0.9.2": ABSENT, "0.10.0": "raw_logprobs", "0.33.0": "raw_logprobs"}),
        ("vllm", "engine", "enforce_eager", {"0.9.0": False}),
        ("vllm", "serve", "port", {"0.8.5": 8000, "0.28.0": 8000, "0.29.0": 8000, "0.33.0": 8000}),
        ("vllm", "env", "VLLM_USE_V1", {"0.7.3": False, "0.8.0": True, "0.11.0": True, "0.11.1": ABSENT}),
        ("vllm", "env", "VLLM_ATTENTION_BACKEND", {"0.14.1": None, "0.15.0": ABSENT}),
        ("vllm", "env", "VLLM_WORKER_MULTIPROC_METHOD", {"0.33.0": "fork"}),
        ("vllm", "env", "VLLM_BATCH_INVARIANT", {"0.33.0": False}),
        ("sglang", "server", "schedule_policy", {"0.4.3.post2": "lpm", "0.4.3.post3": "fcfs", "0.5.23": "fcfs"}),
        (
            "sglang",
            "server",
            "lora_backend",
            {"0.5.3": "triton", "0.5.3.post3": "csgmv", "0.5.4": "triton", "0.5.4.post2": "csgmv"},
        ),
        ("sglang", "server", "enable_deterministic_inference", {"0.5.2": ABSENT, "0.5.3": False}),
        ("sglang", "server", "rl_on_policy_target", {"0.5.4": ABSENT, "0.5.4.post1": None}),
        ("sglang", "server", "mem_fraction_static", {"0.4.6": None, "0.5.23": None}),
        ("sglang", "server", "tp_size", {"0.4.6": 1, "0.5.13": 1, "0.5.14": 1, "0.5.20": 1}),
        ("sglang", "server", "enable_memory_saver", {"0.4.1": ABSENT, "0.5.23": False}),
        ("sglang", "env", "SGLANG_ENABLE_JIT_DEEPGEMM", {"0.5.3": True, "0.5.23": True}),
        ("megatron", "train", "clip_grad", {"0.8.0": 1.0, "0.16.1": 1.0, "0.17.0": 1.0, "0.19.2": 1.0}),
        ("megatron", "train", "cuda_graph_scope", {"0.15.3": "full", "0.16.0": [], "0.18.0": ABSENT}),
        (
            "megatron",
            "train",
            "data_parallel_sharding_strategy",
            {"0.17.1": "no_shard", "0.18.0": "optim_grads_params"},
        ),
        ("megatron", "train", "rerun_mode", {"0.13.1": "disabled", "0.14.0": "validate_results"}),
        ("megatron", "train", "moe_router_dtype", {"0.12.0": None, "0.19.2": None}),
        ("megatron", "train", "attention_backend", {"0.15.3": "auto", "0.19.2": "auto"}),
        ("slime", "train", "kl_loss_type", {"0.1.0": "kl", "0.2.0": "k1"}),
        ("slime", "train", "lr", {"0.3.1": 1e-6}),
        ("slime", "forced", "use_distributed_optimizer", {"0.3.1": True}),
        ("nemo-rl", "grpo_math_1B", "grpo.num_generations_per_prompt", {"0.7.0": 16}),
        ("nemo-rl", "grpo_math_1B", "loss_fn.reference_policy_kl_penalty", {"0.7.0": 0.01}),
        ("areal", "grpo", "actor.optimizer.lr", {"0.3.4": 2e-5, "0.4.0": 1e-3}),
        ("areal", "grpo", "actor.gradient_checkpointing", {"0.3.4": True, "0.4.0": False}),
        ("vllm-ascend", "additional_config", "enable_cpu_binding", {"0.18.0": True, "0.23.0": True}),
        ("vllm-ascend", "additional_config", "eplb_config.dynamic_eplb", {"0.13.0": ABSENT, "0.18.0": False}),
        ("mindie", "config", "ServerConfig.port", {"3.0.0": 1025}),
        ("ray", "init", "num_gpus", {"2.40.0": None, "2.60.0": None}),
        ("ray", "init", "ignore_reinit_error", {"2.60.0": False}),
    ],
)
def test_default(framework, name, key, by_version):
    assert {version: effective(framework, name, version, key) for version in by_version} == by_version


def test_sizes_that_agree_with_the_running_packages():
    fields = set(table("vllm", "engine", "0.33.0").keys()) - {"enable_log_requests"}
    assert len(fields) == 257  # EngineArgs has 259, two of them private
    assert len(table("vllm", "env", "0.33.0").keys()) == 318
    fields = set(table("sglang", "server", "0.5.23").keys()) - {"config"}
    assert len(fields) == 543
    assert len(table("megatron", "train", "0.19.2").keys()) == 806
    assert len(table("slime", "train", "0.3.1").keys()) == 223
    assert len(table("mindie", "config", "3.0.0").keys()) == 100


def test_spellings_of_vllm():
    assert record("vllm", "engine", "0.33.0", "tensor_parallel_size")["flags"] == ["--tensor-parallel-size", "-tp"]
    assert record("vllm", "engine", "0.33.0", "enable_lora")["flags"] == ["--enable-lora", "--no-enable-lora"]
    assert record("vllm", "engine", "0.8.4", "enable_lora")["flags"] == ["--enable-lora"]
    assert record("vllm", "engine", "0.33.0", "served_model_name")["nargs"] == "+"
    assert record("vllm", "engine", "0.33.0", "max_lora_rank")["choices"] == [1, 8, 16, 32, 64, 128, 256, 320, 512]


def test_spellings_of_sglang_in_every_layout():
    for version in ("0.4.6", "0.5.13", "0.5.14", "0.5.23"):
        flags = record("sglang", "server", version, "tp_size")["flags"]
        assert {"--tp-size", "--tensor-parallel-size"} <= set(flags), version
        assert "tensor_parallel_size" not in table("sglang", "server", version)
    assert record("sglang", "server", "0.5.23", "model_path")["flags"] == ["--model-path", "--model"]
    assert record("sglang", "server", "0.5.23", "disable_cuda_graph")["deprecated"]
    assert record("sglang", "server", "0.5.23", "grpc_mode")["replaced_by"] == "--smg-grpc-mode"


def test_deprecations_of_vllm():
    assert (
        record("vllm", "engine", "0.33.0", "log_config_file")["replaced_by"] == "--logging-config.pylogging_config_file"
    )
    assert record("vllm", "engine", "0.16.0", "disable_log_requests")["deprecated"]
    assert "deprecated" not in record("vllm", "engine", "0.33.0", "allow_deprecated_quantization")


def test_switches_of_megatron_say_what_they_store():
    assert record("megatron", "train", "0.19.2", "add_bias_linear")["stores"] == {"--disable-bias-linear": False}
    assert record("megatron", "train", "0.12.0", "add_bias_linear")["stores"] == {"--disable-bias-linear": False}
    assert record("megatron", "train", "0.19.2", "add_position_embedding")["flags"] == ["--no-position-embedding"]
    assert record("megatron", "train", "0.19.2", "layernorm_epsilon")["flags"] == ["--norm-epsilon"]


def test_what_code_or_the_machine_decides_is_computed():
    assert table("megatron", "train", "0.19.2").default("exit_signal") == Unknown("computed:signal.SIGTERM")
    assert table("vllm", "engine", "0.33.0").default("compilation_config") == Unknown("computed:CompilationConfig()")
    assert isinstance(table("vllm", "env", "0.33.0").default("VLLM_CACHE_ROOT"), Unknown)


def test_options_of_sglang_that_slime_does_not_take_over():
    assert table("slime", "sglang", "0.3.1").option("tp_size").record["removed"]
    assert table("slime", "sglang", "0.3.1").option("mem_fraction_static") is None


def test_configurations_that_recipes_start_from_are_kept():
    assert '"grpo": {' in config_files("nemo-rl", "0.7.0")["grpo_math_1B.yaml"].text
    assert "rllm/experimental/config/rllm/base.yaml" in config_files("rllm", "0.3.0rc0")


def test_ranges_of_mindie_come_from_its_documentation():
    port = record("mindie", "config", "3.0.0", "ServerConfig.port")
    assert (port["min"], port["max"], port["source"].endswith(".md")) == (1024, 65535, True)
