"""What is known of verl's own trainers is not said of others: forks, recipes, generation, a base file."""

import json

import pytest

from grpolint.cli.main import main

COMMAND = """#!/bin/bash
python3 -m {program} \\
    data.train_batch_size=64 \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    actor_rollout_ref.actor.ppo_mini_batch_size=128 \\
    actor_rollout_ref.actor.use_dynamic_bsz=False \\
    actor_rollout_ref.rollout.n=8 \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.mode=sync \\
    trainer.nnodes=1
"""

BASE = """
actor_rollout_ref:
  actor: {ppo_mini_batch_size: 128, use_dynamic_bsz: false}
  model: {path: Qwen/Qwen2.5-0.5B-Instruct}
  rollout: {n: 8, name: vllm}
data: {train_batch_size: 64}
algorithm: {adv_estimator: grpo}
trainer: {nnodes: 1}
"""


def check(tmp_path, capsys, name, text):
    path = tmp_path / name
    path.write_text(text)
    main(["check", str(path), "--format", "json", "--with", "verl==0.9.1", "--select", "VE001,VE011,VE012"])
    return {each["rule"]: each for each in json.loads(capsys.readouterr().out)["findings"]}


@pytest.mark.parametrize(
    "program", ["verl.trainer.main_ppo", "verl/trainer/main_ppo.py", "/opt/verl/verl/trainer/main_ppo.py"]
)
def test_own_trainer_refuses(tmp_path, capsys, program):
    command = COMMAND.replace("-m {program}", program) if program.endswith(".py") else COMMAND.format(program=program)
    found = check(tmp_path, capsys, "run.sh", command)
    assert found["VE001"]["severity"] == "error"
    assert found["VE012"]["severity"] == "error"


@pytest.mark.parametrize("program", ["recipe.mine.main_mine", "my_verl.trainer.main_ppo", "selfplay.main_azr_ppo"])
def test_other_trainer_is_warned_with_a_note(tmp_path, capsys, program):
    found = check(tmp_path, capsys, "run.sh", COMMAND.format(program=program))
    assert found["VE001"]["severity"] == "warning"
    assert any(f"{program} is not verl's own trainer" in note for note in found["VE001"]["notes"])


@pytest.mark.parametrize("program", ["train.py", "cookbooks/math/train_agent.py", "agents.train"])
def test_nothing_is_said_of_what_is_built_on_top_of_verl(tmp_path, capsys, program):
    command = COMMAND.replace("-m {program}", program) if program.endswith(".py") else COMMAND.format(program=program)
    assert check(tmp_path, capsys, "run.sh", command) == {}


@pytest.mark.parametrize("program", ["recipe.mine.main_mine", "my_verl.trainer.main_ppo"])
def test_default_decides_nothing_in_another_trainer(tmp_path, capsys, program):
    assert "VE011" not in check(tmp_path, capsys, "run.sh", COMMAND.format(program=program))


@pytest.mark.parametrize("program", ["verl.trainer.main_generation_server", "verl.trainer.main_eval"])
def test_program_that_does_not_train_is_left_alone(tmp_path, capsys, program):
    assert check(tmp_path, capsys, "run.sh", COMMAND.format(program=program)) == {}


def test_base_file_is_warned_with_a_note(tmp_path, capsys):
    found = check(tmp_path, capsys, "base.yaml", BASE)
    assert found["VE001"]["severity"] == "warning"
    assert any("base" in note for note in found["VE001"]["notes"])


def test_advice_stays_advice_for_another_trainer(tmp_path, capsys):
    text = COMMAND.format(program="my_verl.trainer.main_ppo").replace("rollout.n=8", "rollout.n=2").rstrip()
    text += " \\\n    algorithm.adv_estimator=grpo distillation.enabled=False algorithm.filter_groups.enable=False\n"
    path = tmp_path / "run.sh"
    path.write_text(text)
    main(["check", str(path), "--format", "json", "--with", "verl==0.9.1", "--select", "GR003"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(each["rule"], each["severity"]) for each in found] == [("GR003", "info")]
