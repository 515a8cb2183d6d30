"""`grpolint diagnose` from the outside."""

import json

import pytest

from grpolint.cli.main import main


def run(capsys, *words):
    code = main(["diagnose", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_symptoms_in_words(capsys):
    code, out, err = run(capsys, "--symptoms", "loss plateaus, grad norm 1e9", "--topic", "muon")
    assert (code, err) == (0, "")
    assert out.startswith("1. A global gradient norm of 1e9")


def test_a_log_and_a_launch_file(capsys, tmp_path):
    (tmp_path / "train.log").write_text("step:1 - actor/pg_loss:nan - actor/grad_norm:nan\n")
    (tmp_path / "run.sh").write_text(
        "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=1\n"
    )
    code, out, _ = run(capsys, str(tmp_path / "train.log"), "--run", str(tmp_path / "run.sh"), "--format", "json")
    first = json.loads(out)["causes"][0]
    assert (code, first["cause"], first["run"]["verdict"]) == (0, "group-size-one", "confirmed")


def test_releases_can_be_named(capsys, tmp_path):
    (tmp_path / "ds.json").write_text(
        '{"train_batch_size": 8, "zero_optimization": {"stage": 2, "overlap_comm": true}}'
    )
    words = ("--symptoms", "nan from step 1", "--run", str(tmp_path / "ds.json"), "--with", "deepspeed==0.19.8")
    _, out, _ = run(capsys, *words, "--format", "json")
    verdicts = {each["cause"]: each["run"]["verdict"] for each in json.loads(out)["causes"]}
    assert verdicts["zero-overlap-comm-compiled"] == "excluded"


def test_nothing_fits(capsys, tmp_path):
    (tmp_path / "train.log").write_text("all is well\n")
    code, out, _ = run(capsys, str(tmp_path / "train.log"))
    assert code == 3
    assert "nothing fits" in out


def test_one_cause_can_be_asked_for(capsys):
    _, out, _ = run(capsys, "--symptoms", "nan_loss", "--limit", "1")
    assert "2. " not in out and "weaker causes:" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give a log, or --symptoms"),
        (("missing.log",), "missing.log: no such file"),
        (("reward is flat",), "--symptoms 'reward is flat'"),
        (("--symptoms", "nan", "--topic", "mou"), "invalid choice"),
        (("--symptoms", "nan", "--limit", "0"), "not a whole number above 0"),
        (("--symptoms", "nan", "--run", "missing.sh"), "no such file"),
    ],
)
def test_usage(capsys, words, message):
    code, _, err = run(capsys, *words)
    assert code == 2
    assert message in err and err.count("\n") == 1


def test_a_launch_file_that_starts_nothing(capsys, tmp_path):
    (tmp_path / "run.sh").write_text("echo hello\n")
    code, _, err = run(capsys, "--symptoms", "nan", "--run", str(tmp_path / "run.sh"))
    assert code == 2
    assert "no training launch recognised" in err
