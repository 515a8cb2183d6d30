"""Limits that a script sets for what it starts, `ulimit -n` before all: against real bash, and what containers make of them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from grpolint import shell
from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.values import Known, Unknown

SCRIPT = """
start() { python3 train.py "$1"; }
raise_limits() { ulimit -S -n 200; }
start first
ulimit -n 300
start top
raise_limits
start function
(ulimit -Sn 210; start subshell)
start after-subshell
bash -c 'ulimit -Sn 220 && python3 train.py nested'
bash -c 'python3 train.py inherited'
N=230
ulimit -c 0 -Sn ${N}
start variable
if [ "$N" = 230 ]; then ulimit -Sn 240; else ulimit -Sn 250; fi
start branch
for n in 101 102; do ulimit -Sn $n; start turn$n; done
ulimit -H -n 290
start hard-alone
"""


def limits_of(text, lookup=None):
    """Soft limit of open files by the last argument of each launch; None where the script sets none."""
    found = shell.read(Source("run.sh", text), lookup=lookup or (lambda _path: None))
    return {each.argv[-1].text: each.limits.get("nofile") for each in found.launches}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_what_a_program_would_see(tmp_path):
    stub = tmp_path / "python3"
    stub.write_text('#!/bin/bash\nprintf "%s %s\\n" "${@: -1}" "$(ulimit -Sn)" >> "$LOG"\n')
    stub.chmod(0o755)
    log = tmp_path / "log"
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "LOG": str(log)}
    subprocess.run(["bash", "-c", SCRIPT], check=True, env=environment, cwd=tmp_path, timeout=60)
    seen = dict(line.split() for line in log.read_text().splitlines())
    read_as = limits_of(SCRIPT)
    assert read_as.keys() == seen.keys()
    assert read_as.pop("first") is None
    del seen["first"]
    assert {name: word.text for name, word in read_as.items()} == seen


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("prlimit --nofile=1024:2048 python3 train.py x", "1024"),
        ("prlimit -n4096 python3 train.py x", "4096"),
        ("prlimit --nofile=:2048 python3 train.py x", None),
        ("docker run --ulimit nofile=1024:2048 image python3 train.py x", "1024"),
        ("docker run --ulimit memlock=-1 image python3 train.py x", None),
        ("docker run image bash -c 'ulimit -n 77; python3 train.py x'", "77"),
        ("ulimit -n 5000; docker run image python3 train.py x", None),
        ("ulimit -n 5000; ssh host python3 train.py x", None),
        ("ulimit -n 5000; torchrun train.py x", "5000"),
        ("docker run --ulimit nofile=$N image python3 train.py x", "<env:N>"),
        ("ulimit -n hard; python3 train.py x", "<command:ulimit>"),
        ("ulimit -Sn $(ulimit -Hn); python3 train.py x", "<command:ulimit>"),
        ("ulimit -Hn 9; python3 train.py x", None),
        ("ulimit; ulimit -a; ulimit -n; python3 train.py x", None),
    ],
)
def test_wrappers(command, expected):
    word = limits_of(command)["x"]
    assert (word.pattern if word is not None else None) == expected


def test_a_limit_that_one_arm_sets_is_unknown():
    word = limits_of('if nvidia-smi; then ulimit -n 64; fi\npython3 train.py x "$(ulimit -n)" last')["last"]
    assert word.text is None


def test_what_it_prints_nobody_knows():
    found = shell.read(Source("run.sh", "python3 train.py --files=$(ulimit -n)"), lookup=lambda _path: None)
    assert found.launches[0].argv[0].pattern == "--files=<command:ulimit>"


@pytest.mark.parametrize(
    ("line", "expected"),
    [("ulimit -n 65535", 65535), ("ulimit -n unlimited", 1 << 20), ("ulimit -n many", None), (":", None)],
)
def test_the_fact(line, expected):
    run = read(Source("run.sh", f"{line}\npython3 -m verl.trainer.main_ppo data.train_batch_size=8\n")).runs[0]
    value = run.fact("open_files")
    assert (value.value if isinstance(value, Known) else value) == expected


def test_the_fact_is_unknown_with_its_reason():
    run = read(Source("run.sh", "ulimit -n $N\npython3 -m verl.trainer.main_ppo data.train_batch_size=8\n")).runs[0]
    value = run.fact("open_files")
    assert isinstance(value, Unknown)
    assert value.reason == "env:N"
