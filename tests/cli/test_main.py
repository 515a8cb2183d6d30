"""The command itself: words it does not know, how it ends, and what it costs to start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grpolint import __version__
from grpolint.cli import main as module
from grpolint.cli.main import COMMANDS, main

PYTHON = [sys.executable, "-m", "grpolint"]


def said(capsys, *words):
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_version(capsys, word):
    assert said(capsys, word) == (0, f"grpolint {__version__}\n", "")


def test_version_imports_nothing_but_itself():
    program = "import sys; before = set(sys.modules); from grpolint.cli.main import main; main(['--version']); "
    program += "print(sorted(set(sys.modules) - before))"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[1] == str(["__future__", "grpolint", "grpolint.cli", "grpolint.cli.main"])


def imported_by(*words):
    program = f"import sys; from grpolint.cli.main import main; main({list(words)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_check_imports_nothing_heavy(tmp_path):
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 2}}')
    heavy = {"asyncio", "importlib.metadata", "difflib", "logging", "pathspec", "tomllib", "unittest", "email", "http"}
    heavy |= {"urllib.request", "socket", "subprocess", "multiprocessing", "concurrent.futures", "packaging", "shutil"}
    assert not heavy & imported_by("check", str(path))


def test_help_lists_every_command(capsys):
    code, out, _ = said(capsys, "--help")
    assert code == 0
    for name, what in COMMANDS.items():
        assert f"  {name}" in out
        assert what in out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(capsys, name):
    code, out, err = said(capsys, name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: grpolint {name}")
    assert said(capsys, "help", name)[1] == out


def test_no_command_prints_usage(capsys):
    code, out, err = said(capsys)
    assert (code, out) == (2, "")
    assert err.startswith("usage: grpolint COMMAND")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["chekc"], "grpolint: unknown command 'chekc'; did you mean 'check'?"),
        (
            ["frobnicate"],
            "grpolint: unknown command 'frobnicate'; commands are check, show, compare, upgrade, options, rules, explain",
        ),
        (["run.sh"], "grpolint: 'run.sh' is no command; did you mean 'grpolint check run.sh'?"),
        (["a/b"], "grpolint: 'a/b' is no command; did you mean 'grpolint check a/b'?"),
        (["-"], "grpolint: '-' is no command; did you mean 'grpolint check -'?"),
        (
            ["-q", "check"],
            "grpolint: unknown option '-q' before the command; commands are check, show, compare, upgrade, options, rules, explain",
        ),
        (["check", "--selec", "X"], "grpolint check: unknown option '--selec'; did you mean '--select'?"),
        (["check", "--format", "xml"], "grpolint check: argument --format: invalid choice: 'xml'"),
        (["check", "--nodes", "0"], "grpolint check: argument --nodes: '0' is not a whole number above 0"),
        (
            ["check", "--select", "stage-tree"],
            "grpolint check: --select: no rule is called 'stage-tree'; did you mean 'stage-three'?",
        ),
        (["check", "--select", "TA01"], "grpolint check: --select: no rule is called 'TA01'; did you mean 'TA001'?"),
        (["check", "--env", "A"], "grpolint check: --env 'A' is not of the form NAME=VALUE"),
        (["check", "--env", "1A=2"], "grpolint check: --env '1A=2' is not of the form NAME=VALUE"),
        (["check", "--set", "a=1"], "grpolint check: --set 'a=1' is not of the form FRAMEWORK:KEY=VALUE"),
        (
            ["check", "--set", "depspeed:a=1"],
            "grpolint check: --set: unknown framework 'depspeed'; did you mean 'deepspeed'?",
        ),
        (["check", "--with", "deepspeed"], "grpolint check: --with 'deepspeed' is not of the form FRAMEWORK==VERSION"),
        (["show"], "grpolint show: the following arguments are required: FILE"),
        (["show", "none.sh"], "grpolint show: none.sh: no such file"),
        (["show", "a.sh", "key", "--argv"], "grpolint show: --argv shows launches; a key is of no use with it"),
        (["explain", "stage-tree"], "grpolint explain: no rule is called 'stage-tree'; did you mean 'stage-three'?"),
        (["rules", "XX"], "grpolint rules: no rule is called 'XX'"),
    ],
)
def test_usage_errors_are_one_clear_line(folder, capsys, words, line):
    folder(ds_json="{}")
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_settings_error_is_one_clear_line(folder, capsys, tmp_path):
    folder(ds_json="{}")
    (tmp_path / "grpolint.toml").write_text("selct = []")
    code, out, err = said(capsys, "check", "ds.json")
    assert (code, out) == (2, "")
    assert err == f"grpolint check: {tmp_path}/grpolint.toml: unknown key 'selct'; did you mean 'select'?\n"


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_unknown_rule_in_the_settings_file(folder, capsys, tmp_path, key):
    folder(ds_json="{}")
    (tmp_path / "grpolint.toml").write_text(f"{key} = ['TX1']")
    code, out, err = said(capsys, "check", "ds.json")
    assert (code, out) == (2, "")
    assert err.startswith(f"grpolint check: {tmp_path}/grpolint.toml: {key}: no rule is called 'TX1'")


def test_closed_pipe_is_quiet(tmp_path):
    for number in range(300):
        (tmp_path / f"{number}.json").write_text('{"zero_optimization": {"stage": 2}, "wall_clock_breakdown": 1}')
    program = f"{' '.join(PYTHON)} check -v --format json . | head -c 1"
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"{", b"")


def test_interrupt_is_quiet(tmp_path):
    read, write = os.pipe()
    process = subprocess.Popen([*PYTHON, "check", "-"], stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(read)
    try:
        # The command waits for its input once it has imported everything; the interrupt must find it there.
        state = Path(f"/proc/{process.pid}/wchan")
        import time

        for _ in range(200):
            time.sleep(0.02)
            if not state.exists() or "pipe" in state.read_text() or process.poll() is not None:
                break
        else:
            time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        os.close(write)
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_interrupt_anywhere_gives_130(monkeypatch, capsys):
    def interrupted(words):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_run", interrupted)
    assert said(capsys, "check") == (130, "", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_output_encoding(tmp_path, encoding):
    (tmp_path / "训练.json").write_text('{"zero_optimization": {"stage": 2}}')
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*PYTHON, "check", ".", "-v"], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""


# rules and explain


def test_rules_lists_all(capsys):
    code, out, _ = said(capsys, "rules")
    assert code == 0
    assert out.splitlines()[0] == "TA001  stage-three      error    stage three"
    assert out.splitlines()[-1] == "TB003  off-by-default   warning  off by default  (off by default)"
    assert len(out.splitlines()) == 7


def test_rules_of_a_family_or_name(capsys):
    assert [line[:5] for line in said(capsys, "rules", "ta")[1].splitlines()] == ["TA001", "TA002", "TA003"]
    assert [line[:5] for line in said(capsys, "rules", "crashes", "D99")[1].splitlines()] == ["TA001", "TB002"]


def test_rules_as_json(capsys):
    import json

    document = json.loads(said(capsys, "rules", "--format", "json", "TA001")[1])
    assert document["schema"] == "grpolint.rules/1"
    assert document["rules"][0]["aliases"] == ["D99"]


@pytest.mark.parametrize("word", ["TA001", "ta001", "stage-three", "D99", "d99"])
def test_explain(capsys, word):
    code, out, _ = said(capsys, "explain", word)
    assert code == 0
    assert out.startswith("TA001 stage-three\nstage three\n\nseverity error, confidence high, since 0.1.0\n")
    assert "- owner/repo#1 (confirmed): It is so.\n  https://example.org/1\n" in out
    assert out.endswith("# grpolint: ignore[TA001] the reason\n")
