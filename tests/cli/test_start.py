"""What a check of one script imports: every module that it does not need is time before the first finding."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """\
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=64 \\
    actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=8
"""
PROGRAM = """\
import sys
from grpolint.cli.main import main
code = main(sys.argv[1:])
print("\\n".join(sorted(sys.modules)))
"""
HEAVY = ("ast", "asyncio", "dataclasses", "importlib.metadata", "inspect", "packaging", "pathspec", "tokenize", "yaml")


def imported(*words: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("command", [["check"], ["show", "--argv"]])
def test_a_script_needs_neither_a_yaml_parser_nor_a_version_library(tmp_path, command):
    script = tmp_path / "run.sh"
    script.write_text(SCRIPT)
    found = imported(*command, str(script))
    assert "grpolint.shell.parse" in found
    assert not found.intersection(HEAVY)


def test_a_json_file_needs_no_yaml_parser(tmp_path):
    file = tmp_path / "ds.json"
    file.write_text('{"zero_optimization": {"stage": 2}, "train_batch_size": 8}')
    found = imported("check", str(file))
    assert "grpolint.documents.json" in found
    assert not found.intersection(HEAVY)


def test_the_version_needs_nothing(tmp_path):
    assert not any(name.startswith("grpolint.") and ".cli" not in name for name in imported("--version"))
