"""Every rule has inputs that show the fault and inputs that do not, in the form people write them.

A folder `tests/rules/<ID>/` holds `bad*` and `good*` files (and whatever files they name, in sub-folders). `<file>.args` beside
one holds further command line options; `<file>.out` is the exact terminal output of `grpolint check <file>`, but for
the line that counts what is undecided.

A rule of the handbook is alone in the output of its folder: most of the others judge the same file. Its good files pass by it, and
are silent under all rules of the policy evidence.
"""

import json
import re
from pathlib import Path

import pytest

from grpolint.check import Selection, check, entries, find_entry
from grpolint.cli.main import main
from grpolint.documents.source import read_source
from grpolint.findings import Outcome
from grpolint.reader import read, typed
from grpolint.values import Known
from grpolint.world import Supplied

HERE = Path(__file__).parent
CASES = sorted(
    path
    for folder in HERE.iterdir()
    if folder.is_dir() and folder.name != "__pycache__"
    for path in folder.iterdir()
    if path.is_file() and path.name.startswith(("bad", "good")) and path.suffix not in (".out", ".args")
)
IDS = [str(path.relative_to(HERE)) for path in CASES]


def of_the_handbook(path):
    return find_entry(path.parent.name, "handbook") is not None and re.fullmatch(r"[DN]\d\d", path.parent.name)


def run(path, monkeypatch, capsys, *options):
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    extra = path.with_name(path.name + ".args")
    words = extra.read_text().split() if extra.exists() else []
    if "--policy" not in options and of_the_handbook(path):
        words += ["--policy", "handbook", "--select", path.parent.name]
    code = main(["check", path.name, *words, *options])
    return code, capsys.readouterr().out


def report(path, monkeypatch, capsys, *options):
    return json.loads(run(path, monkeypatch, capsys, "--format", "json", "--fail-on", "info", *options)[1])


@pytest.mark.parametrize(
    "path", [path for path in CASES if path.name.startswith("bad")], ids=lambda p: str(p.relative_to(HERE))
)
def test_bad_input_is_found_and_shown(path, monkeypatch, capsys, golden):
    rule = path.parent.name
    assert rule in [finding["rule"] for finding in report(path, monkeypatch, capsys)["findings"]]
    shown = run(path, monkeypatch, capsys)[1].splitlines(keepends=True)
    # How many rules are undecided says nothing of this one, and changes with every rule that is added.
    golden("".join(line for line in shown if not line.startswith("undecided: ")), path.with_name(path.name + ".out"))


@pytest.mark.parametrize(
    "path", [path for path in CASES if path.name.startswith("good")], ids=lambda p: str(p.relative_to(HERE))
)
def test_good_input_is_silent_under_all_rules(path, monkeypatch, capsys):
    found = report(path, monkeypatch, capsys, "--policy", "evidence")
    assert found["errors"] == []
    assert found["findings"] == []
    assert found["files"], "a file that is not read as a launch proves nothing"


@pytest.mark.parametrize(
    "path",
    [path for path in CASES if path.name.startswith("good") and of_the_handbook(path)],
    ids=lambda p: str(p.relative_to(HERE)),
)
def test_good_input_passes_by_the_rule_of_the_handbook(path, monkeypatch, capsys):
    """Neither a finding nor undecided nor not applicable."""
    found = report(path, monkeypatch, capsys)
    assert found["findings"] == []
    assert found["undecided"] == []
    source = read_source(path)
    extra = path.with_name(path.name + ".args")
    words = extra.read_text().split() if extra.exists() else []
    facts = {word.partition("=")[0]: Known(typed(word.partition("=")[2])) for word in words if "=" in word}
    outcomes = check(read(source, Supplied(facts=facts)), Selection((path.parent.name,), policy="handbook")).results
    assert {result.outcome for _, result in outcomes} == {Outcome.PASS}


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_every_rule_has_bad_and_good_input(entry):
    names = [path.name for path in CASES if path.parent.name == entry.id]
    assert any(name.startswith("bad") for name in names)
    assert any(name.startswith("good") for name in names)


def test_every_case_belongs_to_a_rule():
    known = {entry.id for entry in entries()}
    assert {path.parent.name for path in CASES} <= known
