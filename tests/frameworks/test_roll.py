"""ROLL: its programs and their configurations, devices as Python, defaults of its dataclasses, what stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact
from hypothesis import given
from hypothesis import strategies as st

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.frameworks.roll.devices import devices
from grpolint.reader import read
from grpolint.values import Unknown
from grpolint.world import Supplied

RELEASE = Supplied(versions={"roll": "0.3.0"})
RLVR = """\
hydra: {run: {dir: .}, output_subdir: null}
exp_name: math
rollout_batch_size: 64
num_return_sequences_in_group: 8
prompt_length: 1024
response_length: 4096
adv_estimator: grpo
init_kl_coef: 0.0
use_kl_loss: true
kl_loss_coef: 0.001
pretrain: Qwen/Qwen3-8B
actor_train:
  model_args: {dtype: bf16}
  training_args: {learning_rate: 1.0e-6, per_device_train_batch_size: 2, gradient_accumulation_steps: 16}
  strategy_args:
    strategy_name: megatron_train
    strategy_config: {tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2}
  device_mapping: list(range(0,16))
actor_infer:
  strategy_args:
    strategy_name: vllm
    strategy_config: {gpu_memory_utilization: 0.8, tensor_parallel_size: 2}
  device_mapping: list(range(0,8)) + [8, 9]
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()


def only(path: Path, text: str, supplied: Supplied = RELEASE):
    """The one run of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    (run,) = read(read_source(path), supplied).runs
    return run


def test_configuration_alone(tmp_path: Path) -> None:
    """Sizes from the devices and the strategy, batches in prompts, engine and trainer on shared devices."""
    run = only(tmp_path / "rlvr.yaml", RLVR)
    wanted = {
        "trainer_kind": "grpo",
        "world_size": 16,
        "tp": 2,
        "pp": 2,
        "dp": 4,
        "engine": "megatron",
        "group_size": 8,
        "group_relative": True,
        "train_batch_samples": 512,
        "gradient_accumulation": 16,
        "micro_batch_per_gpu": 2,
        "kl_in_loss": True,
        "kl_in_reward": False,
        "rollout_engine": "vllm",
        "rollout_tp": 2,
        "rollout_colocated": True,
        "response_length": 4096,
        "precision": "bf16",
        "model": "Qwen/Qwen3-8B",
        "clip_norm": 1.0,
        "lora_rank": 0,
    }
    assert {name: fact(run, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("folder", "arguments"),
    [
        ("examples/math", "--config_path math --config_name rlvr"),
        ("examples/math", "--config_path=math --config_name=rlvr"),
        ("examples/math", "--config_path $(basename $(dirname $0)) --config_name rlvr"),
    ],
)
def test_launch(tmp_path: Path, folder: str, arguments: str) -> None:
    """The path is relative to the program's folder, or the script's own folder by its name."""
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "rlvr.yaml").write_text(RLVR)
    run = only(tmp_path / folder / "run.sh", f"python examples/start_rlvr_pipeline.py {arguments}\n")
    assert (run.trainer, fact(run, "dp")) == ("roll", 4)


def test_parts_from_a_defaults_list(tmp_path: Path) -> None:
    """Environments and DeepSpeed's sections come from files of their own."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config/zero3.yaml").write_text("zero3: {zero_optimization: {stage: 3}}\n")
    text = "defaults:\n  - ../config/zero3@_here_\n" + RLVR.replace("megatron_train", "deepspeed_train").replace(
        "{tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2}", "${zero3}"
    )
    run = only(tmp_path / "math/rlvr.yaml", text)
    assert (fact(run, "engine"), fact(run, "zero_stage"), fact(run, "dp")) == ("deepspeed", 3, 16)


def test_what_is_not_there_stays_unknown(tmp_path: Path) -> None:
    """A name behind a variable, a file that is not in the tree."""
    for arguments in ("--config_path math --config_name $NAME", "--config_path math --config_name other"):
        run = only(tmp_path / "run.sh", f"python examples/start_rlvr_pipeline.py {arguments}\n")
        assert isinstance(run.fact("world_size"), Unknown)


@pytest.mark.parametrize(
    "text",
    [
        "actor: {strategy: fsdp}\n",
        "actor_train: {model: x}\nactor_infer: {y: 1}\n",
        "student: gpt2\nteacher: gpt3\n",
    ],
)
def test_other_configurations_are_not_taken(tmp_path: Path, text: str) -> None:
    """Files with roles of the same names."""
    (tmp_path / "x.yaml").write_text(text)
    assert not [run for run in read(read_source(tmp_path / "x.yaml")).runs if run.trainer == "roll"]


@given(st.lists(st.integers(0, 64), max_size=6), st.integers(0, 32), st.integers(0, 32))
def test_devices_are_what_python_makes_of_the_text(some: list[int], start: int, count: int) -> None:
    """Python itself is the oracle."""
    for text in (f"list({some})", f"{some} + list(range({start}, {start + count}))", f"list(range({count}))"):
        assert devices(text) == eval(text)


@pytest.mark.parametrize(
    "text", ["", "x", "[1, 'a']", "__import__('os')", "[i for i in range(8)]", "list(range(10**9))"]
)
def test_other_expressions_are_refused(text: str) -> None:
    """Nothing is evaluated."""
    with pytest.raises(ValueError, match=r"list|range|number|Python"):
        devices(text)


def test_every_fact_answers(tmp_path: Path) -> None:
    """No provider has a name that nobody can ask for, and none raises."""
    run = only(tmp_path / "rlvr.yaml", RLVR)
    assert {name for provider in run.providers for name in provider} <= set(FACTS)
    for name in FACTS:
        run.fact(name)
