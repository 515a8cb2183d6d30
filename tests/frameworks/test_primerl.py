"""prime-rl: TOML files behind `@` for all or for a section, flags over them, TOML alone, what stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.frameworks.registry import framework
from grpolint.reader import read
from grpolint.values import Unknown

RL = """\
seq_len = 4096
[model]
name = "Qwen/Qwen3-4B"
[deployment]
num_train_gpus = 4
num_infer_gpus = 4
[orchestrator]
batch_size = 128
group_size = 16
[orchestrator.algo]
type = "grpo"
[orchestrator.train.sampling]
max_completion_tokens = 2048
[[orchestrator.train.source]]
name = "math"
[trainer.optim]
type = "adamw"
lr = 3e-6
[inference.vllm]
tensor_parallel_size = 2
"""
WANTED = {
    "trainer_kind": "grpo",
    "world_size": 4,
    "group_size": 16,
    "group_relative": True,
    "train_batch_samples": 128,
    "rollout_tp": 2,
    "learning_rate": 3e-6,
    "optimizer": "adamw",
    "response_length": 2048,
    "model": "Qwen/Qwen3-4B",
}


def runs(path: Path, text: str):
    """The runs of a file that this framework leads."""
    path.write_text(text)
    return [run for run in read(read_source(path)).runs if run.trainer == "prime-rl"]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "rl.toml").write_text(RL)
    (tmp_path / "trainer.toml").write_text('[optim]\nlr = 1e-5\n[model]\nname = "Qwen/Qwen3-8B"\n')


def test_file_alone(tmp_path: Path) -> None:
    """A TOML with its sections."""
    (run,) = runs(tmp_path / "alone.toml", RL)
    assert {name: fact(run, name) for name in WANTED} == WANTED


@pytest.mark.parametrize(
    "command", ["uv run rl @ rl.toml", "rl @rl.toml", "uv run --no-sync rl @ rl.toml --max-steps 5"]
)
def test_file_behind_the_sign(tmp_path: Path, command: str) -> None:
    """With a blank after it or none."""
    (run,) = runs(tmp_path / "run.sh", command + "\n")
    assert {name: fact(run, name) for name in WANTED} == WANTED


def test_sections_and_flags_come_later(tmp_path: Path) -> None:
    """What stands later wins; dashes are underscores."""
    (run,) = runs(
        tmp_path / "run.sh",
        "rl @ rl.toml --trainer @ trainer.toml --orchestrator.batch-size 256 --orchestrator.group-size=8\n",
    )
    assert (fact(run, "learning_rate"), fact(run, "model")) == (1e-5, "Qwen/Qwen3-8B")
    assert (fact(run, "train_batch_samples"), fact(run, "group_size")) == (256, 8)


def test_supervised_fine_tuning(tmp_path: Path) -> None:
    """The program sft has a model of its own."""
    (run,) = runs(tmp_path / "run.sh", "uv run sft @ trainer.toml\n")
    assert (fact(run, "trainer_kind"), fact(run, "learning_rate"), fact(run, "model")) == ("sft", 1e-5, "Qwen/Qwen3-8B")


@pytest.mark.parametrize(
    "command", ["rl @ other.toml", "rl @ $CONFIG.toml", "rl @ rl.toml --orchestrator.group-size $N"]
)
def test_unknown_parts(tmp_path: Path, command: str) -> None:
    """A file that is not there, a name and a value behind variables."""
    (run,) = runs(tmp_path / "run.sh", command + "\n")
    assert isinstance(run.fact("group_size"), Unknown)


def test_what_nobody_writes_is_not_taken_for_something(tmp_path: Path) -> None:
    """There are no defaults of its releases here."""
    (run,) = runs(tmp_path / "run.sh", "rl @ rl.toml\n")
    assert run.fact("clip_norm") is None
    assert run.fact("lora_rank") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "rl train --config x.yaml\n"),
        ("run.sh", "sft --model x\n"),
        ("a.toml", "[trainer]\nlr = 1\n"),
        ("a.toml", "[tool.ruff]\nline-length = 100\n"),
        ("a.toml", "not = = toml"),
    ],
)
def test_others_are_not_taken(tmp_path: Path, name: str, text: str) -> None:
    """Programs and files that share a word."""
    assert not runs(tmp_path / name, text)


def test_spelling(tmp_path: Path) -> None:
    """A line of the TOML, or a flag with dashes."""
    own = framework("prime-rl")
    (run,) = runs(tmp_path / "run.sh", "rl @ rl.toml\n")
    assert (
        own.spell("orchestrator.batch_size", 64, run.setting("prime-rl", "orchestrator.batch_size"), run)
        == "batch_size = 64"
    )
    assert own.spell("orchestrator.token_batch_size", 64, None, run) == "--orchestrator.token-batch-size 64"


def test_every_fact_answers(tmp_path: Path) -> None:
    """No provider has a name that nobody can ask for, and none raises."""
    (run,) = runs(tmp_path / "alone.toml", RL)
    assert {name for provider in run.providers for name in provider} <= set(FACTS)
    for name in FACTS:
        run.fact(name)
