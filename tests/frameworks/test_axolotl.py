"""axolotl from the user's side: its commands, files, and what it hands to the libraries below."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, launch, leader
from framework_runs import known as plain_value

from grpolint.documents.source import Source
from grpolint.frameworks.axolotl import FRAMEWORK
from grpolint.reader import read
from grpolint.run import Run
from grpolint.values import Unknown
from grpolint.world import Supplied, World

SFT = """\
base_model: NousResearch/Meta-Llama-3-8B
load_in_4bit: true
adapter: qlora
lora_r: 32
lora_alpha: 16
sequence_len: 4096
sample_packing: true
datasets:
  - path: mine
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: paged_adamw_32bit
lr_scheduler: cosine
learning_rate: 2e-4
bf16: true
output_dir: ./out
"""
GRPO = """\
base_model: Qwen/Qwen2.5-1.5B-Instruct
rl: grpo
trl:
  beta: 0.001
  use_vllm: true
  vllm_mode: colocate
  num_generations: 8
  max_completion_length: 1024
  reward_funcs: [rewards.right]
vllm:
  gpu_memory_utilization: 0.4
  tensor_parallel_size: 1
datasets:
  - path: mine
micro_batch_size: 8
gradient_accumulation_steps: 2
sequence_len: 2048
learning_rate: 1.0e-6
bf16: true
fsdp_version: 2
fsdp_config:
  offload_params: true
optimizer: adamw_torch
max_steps: 100
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sft.yaml").write_text(SFT)
    (tmp_path / "grpo.yaml").write_text(GRPO)
    return tmp_path


def axolotl(text: str, folder: Path | None = None, **versions: str) -> Run:
    path = str((folder or Path("/nonexistent")) / "run.sh")
    (run,) = read(Source(path, text + "\n"), Supplied(versions=versions)).runs
    assert run.trainer == "axolotl"
    return run


def known(run: Run, framework: str, key: str) -> object:
    return plain_value(run.value(framework, key))


@pytest.mark.parametrize(
    "text",
    [
        "axolotl train x.yaml",
        "axolotl vllm-serve x.yaml",
        "accelerate launch -m axolotl.cli.train x.yaml",
        "torchrun --nproc_per_node 2 -m axolotl.cli.train x.yaml",
    ],
)
def test_commands(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is not None
    assert framework.name == "axolotl"


@pytest.mark.parametrize("text", ["axolotl preprocess x.yaml", "axolotl merge-lora x.yaml", "python train.py x.yaml"])
def test_lookalikes(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is None or framework.name != "axolotl"


def test_file_that_merely_names_a_base_model() -> None:
    assert not read(Source("/nonexistent/x.yaml", "base_model: x\nlearning_rate: 1\nadapter: lora\n")).runs


def test_facts_of_qlora(folder: Path) -> None:
    run = axolotl("accelerate launch --num_processes 4 --num_machines 1 -m axolotl.cli.train sft.yaml", folder)
    expected = {
        "world_size": 4,
        "dp": 4,
        "micro_batch_per_gpu": 2,
        "gradient_accumulation": 4,
        "train_batch_samples": 32,
        "learning_rate": 2e-4,
        "optimizer": "adamw",
        "lora_rank": 32,
        "lora_alpha": 16,
        "base_bits": 4,
        "bf16": True,
        "model": "NousResearch/Meta-Llama-3-8B",
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "transformers", "per_device_train_batch_size") == 2
    assert not run.complaints


def test_facts_of_grpo(folder: Path) -> None:
    run = axolotl("CUDA_VISIBLE_DEVICES=0,1 axolotl train grpo.yaml --gradient-accumulation-steps 4", folder)
    expected = {
        "world_size": 2,
        "group_relative": True,
        "advantage": "grpo",
        "group_size": 8,
        "gradient_accumulation": 4,
        "train_batch_samples": 64,
        "train_batch_prompts": 8,
        "engine": "fsdp2",
        "fsdp_version": 2,
        "offload_params": "cpu",
        "lora_rank": 0,
        "kl_in_loss": True,
        "rollout_engine": "vllm",
        "rollout_colocated": True,
        "rollout_memory": 0.4,
        "response_length": 1024,
        "prompt_length": 2048,
        "reward_kind": "function",
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "transformers", "remove_unused_columns") is False
    assert known(run, "trl", "beta") == 0.001


def test_server(folder: Path) -> None:
    run = axolotl("axolotl vllm-serve grpo.yaml", folder)
    assert (fact(run, "rollout_engine"), fact(run, "rollout_memory"), fact(run, "group_size")) == ("vllm", 0.4, None)


def test_launchers(folder: Path) -> None:
    def world(text: str) -> object:
        return fact(axolotl(text, folder), "world_size")

    assert world("axolotl train sft.yaml --launcher torchrun -- --nproc_per_node=4 --nnodes=2") == 8
    assert world("axolotl train sft.yaml --num-processes 3") == 3
    assert world("axolotl train sft.yaml --launcher python") == 1
    assert isinstance(axolotl("axolotl train sft.yaml", folder).fact("world_size"), Unknown)


def test_deepspeed_file(folder: Path) -> None:
    (folder / "zero2.json").write_text(
        '{"zero_optimization": {"stage": 2}, "bf16": {"enabled": "auto"}, "train_batch_size": "auto"}'
    )
    run = axolotl("CUDA_VISIBLE_DEVICES=0,1 axolotl train sft.yaml --deepspeed zero2.json", folder)
    assert (fact(run, "engine"), fact(run, "zero_stage")) == ("deepspeed", 2)
    assert known(run, "deepspeed", "train_batch_size") == 16
    gone = axolotl("axolotl train sft.yaml --deepspeed elsewhere.json", folder).fact("zero_stage")
    assert isinstance(gone, Unknown)
    assert gone.reason == "file:elsewhere.json"


def test_file_on_its_own() -> None:
    (run,) = read(Source("/nonexistent/sft.yml", SFT)).runs
    assert (run.trainer, fact(run, "lora_rank"), fact(run, "micro_batch_per_gpu")) == ("axolotl", 32, 2)
    assert isinstance(run.fact("world_size"), Unknown)


def test_file_that_is_not_there() -> None:
    run = axolotl("axolotl train conf/gone.yaml")
    for framework, key in (("axolotl", "adapter"), ("transformers", "per_device_train_batch_size")):
        value = run.value(framework, key)
        assert isinstance(value, Unknown), key
        assert value.reason == "file:conf/gone.yaml"


def test_ignored_option(folder: Path) -> None:
    (folder / "slip.yaml").write_text(SFT + "gradient_checkpoinitng: true\nmy_own_note: 3\n")
    (slip,) = axolotl("axolotl train slip.yaml", folder, axolotl="0.19.0").complaints
    assert (slip.key, slip.suggestion, slip.certain) == ("gradient_checkpoinitng", "gradient_checkpointing", True)
    (folder / "plugin.yaml").write_text(SFT + "gradient_checkpoinitng: true\nplugins: [mine.Plugin]\n")
    assert not axolotl("axolotl train plugin.yaml", folder).complaints


def test_checkout_says_its_release(folder: Path) -> None:
    (folder / "pyproject.toml").touch()
    (folder / "src/axolotl/utils/schemas").mkdir(parents=True)
    (folder / "src/axolotl/utils/schemas/config.py").touch()
    (folder / "VERSION").write_text("0.13.2.dev0\n")
    version = axolotl("axolotl train sft.yaml", folder).settings["axolotl"].version
    assert (version.text, version.assumed) == ("0.13.2", True)


def test_template_leaves_values_open(folder: Path) -> None:
    (folder / "template.yaml").write_text(SFT.replace("lora_r: 32", "lora_r: ${LORA_R}"))
    value = axolotl("axolotl train template.yaml", folder).fact("lora_rank")
    assert isinstance(value, Unknown)
    assert value.reason == "env:LORA_R"


def test_automatic_precision_is_the_machine_s(folder: Path) -> None:
    (folder / "auto.yaml").write_text(SFT.replace("bf16: true", "bf16: auto"))
    value = axolotl("axolotl train auto.yaml", folder).fact("bf16")
    assert isinstance(value, Unknown)
    assert value.reason == "computed:whether the GPU has bfloat16"


def test_libraries_below_are_those_of_the_release(folder: Path) -> None:
    run = axolotl("axolotl train grpo.yaml", folder, axolotl="0.13.2")
    assert run.settings["trl"].version.text == "0.27.0"
    assert run.settings["transformers"].version.text == "4.57.6"


def test_spelling(folder: Path) -> None:
    run = axolotl("axolotl train sft.yaml", folder)
    assert FRAMEWORK.spell("lora_r", 16, run.setting("axolotl", "lora_r"), run) == "lora_r: 16"
    assert FRAMEWORK.spell("max_grad_norm", 1.0, None, run) == "--max-grad-norm 1.0"
