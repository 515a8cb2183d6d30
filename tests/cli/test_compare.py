"""`grpolint compare`: two files by what they mean."""

import json

import pytest

from grpolint.cli.main import main

BASE = """\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size=256 \\
    actor_rollout_ref.rollout.n=8 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=1
"""


@pytest.fixture
def compare(folder, capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    def run(one, other, *words, names=("a.sh", "b.sh")):
        folder(**dict(zip(names, (one, other), strict=True)))
        code = main(["compare", *names, *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def document(compare, *arguments, **options):
    code, out, _ = compare(*arguments, "--format", "json", **options)
    found = json.loads(out)
    assert found["schema"] == "grpolint.compare/1"
    assert found["same"] == (code == 0)
    return found


@pytest.mark.parametrize(
    "other",
    [
        BASE,
        "N=8\n" + BASE.replace("n=8 ", "n=$N "),
        BASE.replace("data.train_batch_size=256", "data.train_batch_size=$((32 * 8))"),
        BASE.replace("    algorithm.adv_estimator=grpo \\\n", "").replace("n=8 ", "n=8 algorithm.adv_estimator=grpo "),
        BASE.replace("n=8 ", "n=2 actor_rollout_ref.rollout.n=8 "),
        # what is written out is the default
        BASE.replace("n=8 ", "n=8 actor_rollout_ref.actor.clip_ratio=0.2 "),
    ],
)
def test_another_way_to_write_the_same(compare, other):
    code, out, err = compare(BASE, other)
    assert (code, err) == (0, "")
    assert "no difference" in out


def test_a_setting_and_what_follows_from_it(compare):
    code, out, _ = compare(BASE, BASE.replace("n=8 ", "n=4 "))
    assert code == 1
    assert "verl\n  actor_rollout_ref.rollout.n  8  ->  4\n      a.sh:4  |  b.sh:4\n" in out
    assert "group_size" in out
    assert "train_batch_size" not in out


def test_a_default_on_one_side(compare):
    found = document(compare, BASE, BASE.replace("actor_rollout_ref.rollout.n=8 \\\n", "\\\n"))
    (pair,) = found["pairs"]
    row = next(each for each in pair["settings"] if each["key"] == "actor_rollout_ref.rollout.n")
    assert row["set"] == [True, False]
    assert (row["before"]["state"], row["after"]["state"]) == ("known", "default")
    assert (row["before"]["value"], row["after"]["value"]) == (8, 1)
    assert row["after"]["origin"][0]["detail"].startswith("verl ")


def test_environment(compare):
    found = document(compare, "export VLLM_USE_V1=1\n" + BASE, "export VLLM_USE_V1=0\n" + BASE)
    (pair,) = found["pairs"]
    assert pair["settings"] == []
    (row,) = pair["environment"]
    assert (row["key"], row["before"]["value"], row["after"]["value"]) == ("VLLM_USE_V1", "1", "0")


def test_two_unknown_values_are_the_same_if_the_reason_is(compare):
    one = BASE.replace("n=8 ", "n=$N ")
    assert compare(one, one)[0] == 0
    assert compare(one, one.replace("$N", "$M"))[0] == 1
    assert compare(one, BASE, "--env", "N=8")[0] == 0


def test_a_script_and_the_configuration_it_could_be(compare):
    chosen = {
        "model_name_or_path": "m",
        "dataset_name": "d",
        "output_dir": "o",
        "num_generations": "8",
        "learning_rate": "1.0e-6",
    }
    chosen |= {"per_device_train_batch_size": "8", "max_completion_length": "512", "bf16": "true"}
    flags = "trl grpo " + " ".join(f"--{key} {value}" for key, value in chosen.items()) + " --beta 0.01\n"
    recipe = "".join(f"{key}: {value}\n" for key, value in chosen.items()) + "beta: 0.02\n"
    found = document(compare, flags, recipe, names=("run.sh", "grpo.yaml"))
    (pair,) = found["pairs"]
    assert {row["key"] for row in pair["settings"] if row["framework"] == "trl"} == {"beta"}


def test_releases_near_the_files_count(compare, folder):
    folder(**{"old/run.sh": BASE, "old/requirements.txt": "verl==0.6.0\n", "new/run.sh": BASE})
    found = document(compare, BASE, BASE, names=("old/run.sh", "new/run.sh"))
    assert found["pairs"][0]["versions"]["verl"][0] == "0.6.0"


def test_a_run_without_counterpart(compare):
    found = document(compare, BASE, BASE + BASE)
    assert found["same"] is False
    assert len(found["only_second"]) == 1


def test_what_cannot_be_compared(compare, folder, capsys):
    assert compare(BASE, "echo hello\n")[0] == 3
    assert main(["compare", "a.sh", "missing.sh"]) == 2
    assert "missing.sh" in capsys.readouterr().err
