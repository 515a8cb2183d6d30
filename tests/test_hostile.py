"""Whatever nonsense stands for a value, every rule, fact and command ends, soon and without failing itself."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grpolint.check import CRASH, Selection, check, judge
from grpolint.cli.main import main
from grpolint.digits import MOST, whole
from grpolint.documents.source import Source, read_source
from grpolint.facts import FACTS
from grpolint.findings import Outcome, Severity
from grpolint.reader import read
from grpolint.regex import regex
from grpolint.rules.api import Evidence, rule
from grpolint.rules.relations import divisors
from grpolint.world import Supplied

RULES = Path(__file__).parent / "rules"
CASES = sorted(
    path
    for folder in RULES.iterdir()
    if folder.is_dir() and folder.name != "__pycache__"
    for path in folder.iterdir()
    if path.is_file()
    and path.name.startswith(("bad", "good"))
    and path.suffix in (".sh", ".yaml", ".json", ".py", ".toml")
)
HUGE = ["1" + "0" * 400, "9" * 5000, "9223372036854775808", "1e400", "99999999999"]
NUMBERS = ["0", "-1", "-0.0", "1e-400", "3.5"]
VALUES = {
    ".sh": [*HUGE, *NUMBERS, "nan", "inf", "''", "null", "[]", "{a: 1}", "²", "１２", "x" * 5000, "${a.b}", "$N"],
    ".yaml": [
        *HUGE,
        *NUMBERS,
        ".nan",
        ".inf",
        "null",
        "[]",
        "{a: 1}",
        "[null]",
        "'8'",
        "x",
        "${a.b}",
        "&a [*a]",
        "!!int x",
    ],
    ".json": [
        *HUGE,
        *NUMBERS,
        "NaN",
        "-Infinity",
        "null",
        "[]",
        "{}",
        '"x"',
        '"8"',
        "[{}]",
        "true",
        '"' + "9" * 5000 + '"',
    ],
    ".py": [
        "10**400",
        "9" * 5000,
        "float('nan')",
        "1e400",
        "0",
        "-1",
        "None",
        "[]",
        "'x'",
        "f(1)",
        "1/0",
        "{**x}",
        "1j",
    ],
    ".toml": ["9223372036854775807", "nan", "inf", "0", "-1", "[]", "{a=1}", '"x"', "[{}]", "1979-05-27", "1e400"],
}
WRITTEN = {
    ".sh": regex(r"(?<==)[^\s=\\\"']+|(?<= )\d[\d.e-]*(?= |$)", re.MULTILINE),
    ".yaml": regex(r"(?<=: )[^\n#]+"),
    ".json": regex(r"(?<=:)\s*(?:\"[^\"]*\"|[^\s,{}\[\]]+)"),
    ".py": regex(r"(?<==)\s*[^\s,()=]+"),
    ".toml": regex(r"(?<== )[^\n]+"),
}


def with_nonsense(text, suffix, chance):
    """The text with some of its values, or all of its numbers, replaced."""
    places = list(WRITTEN[suffix].finditer(text))
    if chance.random() < 0.4:
        places = [each for each in places if re.fullmatch(r"\s*[\d.e-]+\s*", each[0])]
    else:
        places = chance.sample(places, min(len(places), chance.randint(1, 6)))
    same = chance.choice(VALUES[suffix]) if chance.random() < 0.5 else None
    for place in sorted(places, key=lambda each: -each.start()):
        text = text[: place.start()] + (same or chance.choice(VALUES[suffix])) + text[place.end() :]
    return text


@pytest.mark.parametrize("part", range(8))
def test_no_rule_fails_on_nonsense(part):
    """Another value for what stands in an input of each rule: no rule fails, and every fact can be asked for."""
    chance = random.Random(part)
    for path in chance.sample(CASES, 30):
        text = with_nonsense(read_source(path).text, path.suffix, chance)
        reading = read(Source(str(path), text), Supplied())
        for policy in ("evidence", "handbook"):
            for run, result in check(reading, Selection(("ALL",), policy=policy)).results:
                assert result.rule != CRASH, (path, result.findings[0].notes)
                for name in FACTS:
                    run.fact(name)


VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo "


@pytest.mark.parametrize(
    "number", ["1" + "0" * 30, "9" * 400, "9" * 4200, "9" * 5000, "1e999", ".nan", "nan", "inf", "-inf"]
)
def test_numbers_beyond_counting_are_undecided_and_cost_no_time(number, tmp_path):
    """Loops over sizes that fit end, whichever size is nonsense."""
    names = ("trainer.nnodes", "trainer.n_gpus_per_node", "data.train_batch_size", "actor_rollout_ref.rollout.n")
    sizes = ("tensor_model_parallel_size", "agent.num_workers", "gpu_memory_utilization")
    words = [f"{name}={number}" for name in names] + [f"actor_rollout_ref.rollout.{name}={number}" for name in sizes]
    model = tmp_path / "m"
    model.mkdir()
    (model / "config.json").write_text(
        '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 999999999,'
        '"vocab_size": 9, "intermediate_size": 9}'
    )
    for some in (words, *([word] for word in words)):
        text = VERL + "actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm " + " ".join(some)
        for _, result in check(read(Source(str(tmp_path / "run.sh"), text)), Selection(("ALL",))).results:
            assert result.rule != CRASH, result.findings[0].notes


def test_divisors_end():
    assert divisors(12, 6) == [1, 2, 3, 4, 6]
    assert max(divisors(10**18, 10**18)) <= 1 << 16
    assert divisors(12, -1) == []


@pytest.mark.parametrize("text", ["²", "１２", "", "-1", "1_0", " 1", "9" * (MOST + 1), "1" * 5000])
def test_what_is_no_whole_number(text):
    assert whole(text) is None


def test_whole_number():
    assert whole("0012") == 12
    assert whole("9" * MOST) == int("9" * MOST)


@pytest.mark.parametrize(
    "word",
    [
        "group_size=x",
        "group_size=1e400",
        "group_size=nan",
        "group_size=" + "9" * 30,
        "group_size=true",
        "learning_rate=nan",
        "learning_rate=x",
        "bf16=5",
        "gpu_capability=x",
        "gpu_capability=9",
    ],
)
def test_a_fact_of_another_type_is_a_usage_error(word, tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    assert main(["check", str(script), "--fact", word]) == 2
    assert FACTS[word.partition("=")[0]] in capsys.readouterr().err


@pytest.mark.parametrize(
    "word", ["gpu_capability=9.0", "trainer_devices=0,1", "model=7", "group_size=none", "bf16=false"]
)
def test_facts_of_every_type(word, tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    assert main(["check", str(script), "--fact", word]) in (0, 1)
    assert "INT001" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--nodes", "--gpus-per-node"])
def test_counts_of_thousands_of_digits(option, tmp_path, capsys):
    assert main(["check", str(tmp_path), option, "9" * 5000]) == 2
    assert "whole number" in capsys.readouterr().err


def test_a_release_of_thousands_of_digits(tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    assert main(["check", str(script), "--with", "verl==1" + "9" * 5000]) == 2
    assert len(capsys.readouterr().err) < 300


LAUNCH = (sys.executable, "-m", "grpolint", "check")


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(redirect, tmp_path):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    for name in (str(script), "-"):
        done = subprocess.run(
            ["bash", "-c", f'"$@" {redirect}', "bash", *LAUNCH, name], capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1, 3)
        assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_a_full_disk_is_one_line(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    with open("/dev/full", "w") as full:
        done = subprocess.run([*LAUNCH, str(script)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", ["1", "-5", "0", "9" * 5000, "x", "²"])
def test_columns(columns, tmp_path, monkeypatch, capsys):
    script = tmp_path / "run.sh"
    script.write_text(VERL)
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["check", str(script)]) in (0, 1)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", 'x = ("a" ' + "#" * 4000 + '\n "b")\nfrom trl import GRPOConfig\nGRPOConfig(num_generations=x)\n'),
        (".py", "\n" * 20000 + "import torch\n"),
        (".py", "from trl import GRPOConfig\n" + "#" * 30000),
        (".json", "{" * 3000),
        (".json", '{"a": ' + "{{ a " * 3000),
        (".yaml", "a: " + "{{ a " * 3000),
        (".sh", VERL + "x." * 5000 + "=1"),
        (".sh", "trl grpo --" + "1" * 20000 + " 1"),
        (".sh", "vllm serve --" + "ab" * 10000),
        (".ipynb", '{"cells": [{"cell_type": "code", "source": "' + " " * 20000 + '!"}]}'),
    ],
    ids=range(10),
)
def test_long_texts_take_no_power_of_their_length(suffix, text):
    """None of these ends within the life of a test run where an expression backtracks over a power of the length."""
    for _, result in check(read(Source(f"/nonexistent/run{suffix}", text)), Selection(("ALL",))).results:
        assert result.rule != CRASH, result.findings[0].notes


def test_arithmetic_without_a_result_leaves_a_rule_undecided():
    """A size of 0 that a rule divides by: nothing follows, and the other rules still say what is wrong with it."""

    def divides(run):
        yield run.finding(str(1 // run.require("verl:trainer.nnodes")))

    evidence = (Evidence("verl 0.9.1: a", "https://x", "y"),)
    divider = rule(id="ZZ001", name="z", summary="z", severity=Severity.ERROR, evidence=evidence)(divides)
    (run,) = read(Source("/nonexistent/run.sh", VERL + "trainer.nnodes=0")).runs
    result = judge(divider, run)
    assert result.outcome is Outcome.UNDECIDED
    assert result.missing[0].startswith("verl:trainer.nnodes (")
