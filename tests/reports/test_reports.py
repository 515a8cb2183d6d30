"""Public reports: the small input that shows the reported fault is found by the rule that names the cause.

A folder `<owner>__<repo>__<number>/` holds the input in the form people write, in our own words, and `report.yaml`:

- `link`, `said` (what was reported, in one sentence), `date read`
- `rule`: the id of the rule; `input`: the file to check; `args`: further command line options, such as the release in use
- `line`: the faulty line, in `file` where that is not the input; null where the fault is that nothing is written
- `words`: what the message has to say, numbers and options
- `fixed`: the input with the remedy applied; `fixed args` where the remedy is another release
"""

import json
import re
from pathlib import Path

import pytest
import yaml

from grpolint.cli.main import main

HERE = Path(__file__).parent
REPORTS = sorted(path.parent for path in HERE.glob("*/report.yaml"))
KEYS = {"link", "said", "date read", "rule", "input", "line", "file", "words", "args", "fixed", "fixed args"}


def load(folder):
    return yaml.safe_load((folder / "report.yaml").read_text())


def checked(folder, name, args, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    main(["check", name, *args.split(), "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert found["errors"] == []
    assert found["files"], "a file that is not read as a launch proves nothing"
    return found


def test_there_are_enough():
    assert len(REPORTS) >= 70
    assert {folder.name for folder in REPORTS} == {
        path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"
    }


@pytest.mark.parametrize("folder", REPORTS, ids=lambda folder: folder.name)
def test_report_is_described(folder):
    report = load(folder)
    owner, repo, number = folder.name.split("__")
    assert set(report) <= KEYS
    assert re.fullmatch(rf"https://github\.com/{re.escape(f'{owner}/{repo}')}/(issues|pull)/{number}", report["link"])
    assert report["said"].endswith(".")
    assert report["words"]
    assert ("fixed" in report) or ("fixed args" in report)


@pytest.mark.parametrize("folder", REPORTS, ids=lambda folder: folder.name)
def test_fault_is_found_on_its_line(folder, monkeypatch, capsys):
    report = load(folder)
    found = checked(folder, report["input"], report.get("args", ""), monkeypatch, capsys)
    findings = [finding for finding in found["findings"] if finding["rule"] == report["rule"]]
    assert findings, [finding["rule"] for finding in found["findings"]]
    places = [
        (Path(span["file"]).name, span["line"]) for finding in findings for span in finding["spans"] if span["primary"]
    ]
    if report["line"] is None:
        assert places == []
    else:
        assert (report.get("file", report["input"]), report["line"]) in places
    assert any(all(word in finding["message"] for word in report["words"]) for finding in findings)


@pytest.mark.parametrize("folder", REPORTS, ids=lambda folder: folder.name)
def test_remedy_silences_the_rule(folder, monkeypatch, capsys):
    report = load(folder)
    args = report.get("fixed args", report.get("args", ""))
    found = checked(folder, report.get("fixed", report["input"]), args, monkeypatch, capsys)
    assert report["rule"] not in [finding["rule"] for finding in found["findings"]]
    assert report["rule"] not in [each["rule"] for each in found["undecided"]], "silent for want of a value"
