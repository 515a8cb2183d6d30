"""ms-swift from the user's side: its commands over both trainers, files, presets, the variables that start processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, launch, leader
from framework_runs import known as plain_value

from grpolint.documents.source import Source
from grpolint.frameworks.swift import FRAMEWORK
from grpolint.reader import read
from grpolint.run import Run
from grpolint.values import Default, Unknown
from grpolint.world import Supplied, World

GRPO = (
    "CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B-Instruct "
    "--tuner_type lora --lora_rank 16 --lora_alpha 64 --torch_dtype bfloat16 --dataset my/maths --reward_funcs accuracy format "
    "--use_vllm true --vllm_mode colocate --vllm_gpu_memory_utilization 0.5 --vllm_tensor_parallel_size 2 --sleep_level 1 "
    "--vllm_max_model_len 6144 --num_generations 8 --max_length 2048 --max_completion_length 4096 "
    "--per_device_train_batch_size 4 --gradient_accumulation_steps 2 --deepspeed zero3_offload --beta 0.01"
)
MEGATRON = (
    "NPROC_PER_NODE=8 NNODES=2 megatron sft --model Qwen/Qwen3-8B --dataset my/data --tensor_model_parallel_size 4 "
    "--context_parallel_size 2 --micro_batch_size 1 --global_batch_size 16 --tuner_type full"
)


def swift(text: str, **versions: str) -> Run:
    supplied = Supplied(versions={name.replace("_", "-"): each for name, each in versions.items()})
    (run,) = read(Source("/nonexistent/run.sh", text + "\n"), supplied).runs
    assert run.trainer == "ms-swift"
    return run


def known(run: Run, framework: str, key: str) -> object:
    return plain_value(run.value(framework, key))


@pytest.mark.parametrize(
    "text",
    [
        "swift sft --model x --dataset y",
        "swift pt --model x --dataset y",
        "megatron rlhf --model x --dataset y",
        "swift rollout --model x",
        "python -m swift.cli.rlhf --model x --dataset y",
        "python -m swift.cli.main sft --model x --dataset y",
        "torchrun --nproc_per_node 4 swift/cli/sft.py --model x --dataset y",
        "accelerate launch --num_processes 4 /opt/ms-swift/swift/cli/_megatron/sft.py --model x --dataset y",
    ],
)
def test_commands(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is not None
    assert framework.name == "ms-swift"


@pytest.mark.parametrize(
    "text",
    [
        "swift infer --model x",
        "swift export --model x --merge_lora true",
        "python swift.py --model x --rlhf_type grpo",
        "python -m swift.cli.main export --model x",
        "llamafactory-cli train x.yaml",
        "trl sft --model_name_or_path x --dataset_name y",
    ],
)
def test_lookalikes(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is None or framework.name != "ms-swift"


def test_facts_of_grpo() -> None:
    run = swift(GRPO, ms_swift="4.6.0")
    expected = {
        "world_size": 8,
        "gpus_per_node": 8,
        "dp": 8,
        "advantage": "grpo",
        "group_relative": True,
        "group_size": 8,
        "train_batch_samples": 64,
        "train_batch_prompts": 8,
        "gradient_accumulation": 2,
        "micro_batch_per_gpu": 4,
        "engine": "deepspeed",
        "zero_stage": 3,
        "offload_optimizer": "cpu",
        "offload_params": "cpu",
        "overlap_comm": False,
        "precision": "bf16",
        "lora_rank": 16,
        "lora_alpha": 64.0,
        "learning_rate": 1e-4,
        "clip_norm": 1.0,
        "rollout_engine": "vllm",
        "rollout_colocated": True,
        "rollout_tp": 2,
        "rollout_memory": 0.5,
        "rollout_sleep": True,
        "sleep_level": 1,
        "lora_sync": "merged",
        "weight_sync": "naive",
        "kl_in_loss": True,
        "kl_in_reward": False,
        "reward_kind": "function",
        "prompt_length": 2048,
        "response_length": 4096,
        "context_length": 6144,
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert not run.complaints
    assert known(run, "deepspeed", "train_batch_size") == 64
    assert known(run, "deepspeed", "bf16.enabled") is True
    assert known(run, "deepspeed", "zero_optimization.stage3_prefetch_bucket_size") == 0
    assert known(run, "vllm", "enable_sleep_mode") is True
    assert known(run, "vllm", "max_model_len") == 6144


def test_server_mode_has_no_engine_of_its_own() -> None:
    run = swift(GRPO.replace("--vllm_mode colocate", "--vllm_mode server --vllm_server_host 10.0.0.1"))
    assert fact(run, "rollout_colocated") is False
    assert fact(run, "weight_sync") == "nccl"
    assert [fact(run, name) for name in ("rollout_tp", "rollout_memory", "rollout_sleep", "context_length")] == [
        None
    ] * 4
    assert "vllm" not in run.settings


def test_what_the_code_decides() -> None:
    run = swift("CUDA_VISIBLE_DEVICES=0 swift sft --model x --dataset y --tuner_type full --torch_dtype float16")
    expected = {
        "learning_rate": 1e-5,
        "gradient_accumulation": 16,
        "precision": "fp16",
        "lora_rank": 0,
        "world_size": 1,
    }
    assert {name: fact(run, name) for name in expected} == expected
    grpo = swift("NPROC_PER_NODE=2 swift rlhf --rlhf_type grpo --model x --dataset y --reward_funcs accuracy")
    assert fact(grpo, "gradient_accumulation") == 1
    assert known(grpo, "ms-swift", "beta") == 0.04
    assert fact(grpo, "rollout_engine") == "hf"
    assert isinstance(grpo.fact("precision"), Unknown)


def test_processes_come_from_variables() -> None:
    assert fact(swift(MEGATRON), "world_size") == 16
    assert fact(swift("NPROC_PER_NODE=4 swift sft --model x --dataset y"), "world_size") == 4
    unsaid = swift("swift sft --model x --dataset y --per_device_train_batch_size 1").fact("world_size")
    assert isinstance(unsaid, Unknown)
    launched = swift("torchrun --nnodes 2 --nproc_per_node 4 swift/cli/sft.py --model x --dataset y")
    assert fact(launched, "world_size") == 8


def test_megatron_below() -> None:
    run = swift(MEGATRON, ms_swift="4.6.0")
    expected = {"tp": 4, "cp": 2, "dp": 2, "gradient_accumulation": 8, "engine": "megatron", "lora_rank": 0}
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "megatron", "tensor_model_parallel_size") == 4
    assert known(run, "megatron", "use_distributed_optimizer") is True
    assert isinstance(run.value("megatron", "num_experts"), Unknown)
    assert known(run, "ms-swift", "lr") == 1e-5
    assert "vllm" not in run.settings


def test_rollout_server() -> None:
    run = swift("swift rollout --model Qwen/Qwen2.5-7B --vllm_tensor_parallel_size 2 --vllm_data_parallel_size 2")
    assert fact(run, "rollout_tp") == 2
    assert known(run, "vllm", "data_parallel_size") == 2
    assert fact(run, "group_size") is None


def test_file_as_first_argument(tmp_path: Path) -> None:
    (tmp_path / "sft.yaml").write_text(
        "ENV:\n  NPROC_PER_NODE: 4\nmodel: Qwen/Qwen2.5-7B\ntuner_type: lora\nlora_rank: 8\ntarget_modules: all-linear\n"
        "dataset: [a/b]\nlearning_rate: 2e-4\nper_device_train_batch_size: 2\ndeepspeed: zero2\n"
    )
    script = tmp_path / "run.sh"
    script.write_text("swift sft sft.yaml --per_device_train_batch_size 1 --gradient_accumulation_steps 4\n")
    (run,) = read(Source(str(script), script.read_text())).runs
    expected = {"micro_batch_per_gpu": 1, "learning_rate": 2e-4, "zero_stage": 2, "train_batch_samples": 16}
    assert {name: fact(run, name) for name in expected} == expected
    assert not run.complaints
    (alone,) = read(Source("sft.yaml", (tmp_path / "sft.yaml").read_text())).runs
    assert (alone.trainer, fact(alone, "lora_rank"), fact(alone, "world_size")) == ("ms-swift", 8, 4)


def test_file_that_is_not_there() -> None:
    run = swift("swift sft conf/sft.yaml --max_length 2048")
    value = run.value("ms-swift", "lora_rank")
    assert isinstance(value, Unknown)
    assert value.reason == "file:conf/sft.yaml"


def test_on_ray(tmp_path: Path) -> None:
    (tmp_path / "grpo.yaml").write_text(
        "rlhf_type: grpo\nmodel: Qwen/Qwen2.5-7B\ndataset: a/b\nreward_funcs: [accuracy]\nnum_generations: 8\n"
        "micro_batch_size: 2\nglobal_batch_size: 16\nuse_vllm: true\nsleep_level: 1\n"
        "train:\n  gpus: 4\n  tuner_type: lora\n  lora_rank: 8\nrollout:\n  gpus: 4\n  vllm_tensor_parallel_size: 2\n"
    )
    script = tmp_path / "run.sh"
    script.write_text("megatron rlhf --use_ray true --config grpo.yaml\n")
    (run,) = read(Source(str(script), script.read_text())).runs
    expected = {"world_size": 4, "lora_rank": 8, "group_size": 8, "train_batch_samples": 16}
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "ms-swift", "vllm_tensor_parallel_size") == 2
    assert not run.complaints


def test_python_door() -> None:
    text = (
        "from swift.llm import rlhf_main, RLHFArguments\n"
        "rlhf_main(RLHFArguments(rlhf_type='grpo', model='Qwen/Qwen2.5-7B', num_generations=4, deepspeed='zero2'))\n"
    )
    (run,) = read(Source("train.py", text)).runs
    assert run.trainer == "ms-swift"
    assert (fact(run, "group_size"), fact(run, "zero_stage")) == (4, 2)


def test_unknown_parts() -> None:
    run = swift('NPROC_PER_NODE=$GPUS swift rlhf --rlhf_type grpo --model x --num_generations "$N" $EXTRA_ARGS')
    for name, reason in (("world_size", "env:GPUS"), ("group_size", "env:N"), ("response_length", "env:EXTRA_ARGS")):
        value = run.fact(name)
        assert isinstance(value, Unknown), name
        assert value.reason == reason


def test_unknown_option_is_certain_only_where_the_releases_are_known() -> None:
    text = "NPROC_PER_NODE=8 swift sft --model x --dataset y --lora_ranc 8"
    (sure,) = swift(text, ms_swift="4.6.0", transformers="5.0.0").complaints
    assert (sure.kind, sure.key, sure.suggestion, sure.certain) == ("unknown-key", "lora_ranc", "lora_rank", True)
    (unsure,) = swift(text).complaints
    assert unsure.certain is False
    assert not swift(text + " --ignore_args_error true", ms_swift="4.6.0", transformers="5.0.0").complaints


def test_release_is_inferred_from_former_names() -> None:
    run = swift("NPROC_PER_NODE=8 swift sft --model x --dataset y --train_type full")
    assert run.settings["ms-swift"].version.text.startswith("4.")
    assert run.settings["ms-swift"].version.assumed
    assert fact(run, "lora_rank") == 0
    assert not run.complaints


def test_defaults_name_the_release() -> None:
    value = swift(GRPO, ms_swift="3.8.0").value("ms-swift", "max_completion_length")
    assert value is not None
    value = swift("swift sft --model x", ms_swift="3.8.0").value("ms-swift", "lora_rank")
    assert isinstance(value, Default)
    assert (value.framework, value.version) == ("ms-swift", "3.8.0")


def test_spelling() -> None:
    run = swift(GRPO)
    setting = run.setting("ms-swift", "num_generations")
    assert FRAMEWORK.spell("num_generations", 4, setting, run) == "--num_generations 4"
    assert FRAMEWORK.spell("overlong_filter", True, None, run) == "--overlong_filter true"
