"""Accelerators are found by the names people write."""

import pytest

from grpolint.cli.main import main
from grpolint.hardware import GPUS, find_gpu


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("h100", 80),
        ("RTX 4090", 24),
        ("rtx4090", 24),
        ("NVIDIA GeForce RTX 4090", 24),
        ("a100-80gb", 80),
        ("A100-40GB", 40),
    ],
)
def test_names(name, memory):
    assert find_gpu(name).memory == memory


def test_every_one_is_found_by_its_own_name():
    assert [find_gpu(gpu.name) for gpu in GPUS.values()] == list(GPUS.values())


def test_unknown_one_is_refused(tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text("python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo\n")
    assert main(["check", str(script), "--gpu", "h1000"]) == 2
    said = capsys.readouterr().err
    assert "h1000" in said
    assert "did you mean" in said
    assert "100" in said
