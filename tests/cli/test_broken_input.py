"""Files that are partly unreadable, partly unknown, and what the exit code and the summary say of them."""

import pytest

from grpolint.cli.main import main

LAUNCH = "python3 -m verl.trainer.main_eval\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(name, text, *options):
        (tmp_path / name).write_text(text)
        code = main(["check", name, *options])
        return code, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", LAUNCH + "if true; then\n"),
        (
            "ds.json",
            '{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}, "bf16": {"enabled": true',
        ),
    ],
)
def test_what_cannot_be_read_to_its_end_is_no_success(check, name, text):
    code, shown = check(name, text)
    assert code == 1, shown
    assert check(name, text, "--fail-on", "never")[0] == 0


def test_launches_that_were_not_checked_are_counted(check):
    code, shown = check("run.sh", LAUNCH + "python my_trainer.py --lr 1\npython other.py\n")
    assert code == 0
    assert "not checked: 2 launches of programs not known here" in shown


def test_releases_as_a_list(check, tmp_path):
    script = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo\n"
    (tmp_path / "grpolint.toml").write_text('with = ["verl==0.7.1"]\n')
    assert "(verl 0.7.1" in check("run.sh", script)[1]
    (tmp_path / "grpolint.toml").write_text('with = { verl = "0.8.0" }\n')
    assert "(verl 0.8.0" in check("run.sh", script)[1]
    (tmp_path / "grpolint.toml").write_text('with = ["verl"]\n')
    assert check("run.sh", script)[0] == 2


def test_a_folder_without_launch_files(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["check", str(tmp_path / "empty")]) == 3
    assert "no launch files found" in capsys.readouterr().out
