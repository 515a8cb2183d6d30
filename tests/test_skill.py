"""The skill for agents: its form, every command in it, and its installation."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from grpolint.cli.main import main

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "skill").rglob("*.md"))
SKILL = (ROOT / "skill" / "SKILL.md").read_text(encoding="utf-8")
LINES = [
    (path.name, line)
    for path in FILES
    for line in re.findall(r"^ {4,}(grpolint .*)$|`(grpolint lab \w+)`", path.read_text(encoding="utf-8"), re.MULTILINE)
    for line in line
    if line
]


def test_the_head_names_it_and_says_when_to_use_it():
    head = yaml.safe_load(SKILL.split("---")[1])
    assert head["name"] == "grpolint"
    assert 100 < len(head["description"]) < 1024
    assert len(head["triggers"]) > 10


def test_it_loads_its_references_when_needed():
    linked = re.findall(r"\]\((reference/.*?)\)", SKILL)
    assert sorted(linked) == sorted(
        path.relative_to(ROOT / "skill").as_posix() for path in FILES if path.name != "SKILL.md"
    )
    assert len(SKILL.splitlines()) < 120


def test_there_are_commands():
    assert len(LINES) > 35


@pytest.mark.parametrize(("name", "line"), LINES, ids=[f"{name}: {line[:60]}" for name, line in LINES])
def test_every_command_runs(name, line, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    code = main(shlex.split(line)[1:])
    shown = capsys.readouterr()
    assert code in (0, 1), shown.err
    assert shown.out.strip()


def test_install_writes_every_file(tmp_path, capsys):
    assert main(["skill", "install", "--dir", str(tmp_path)]) == 0
    told = capsys.readouterr().out.split()
    for path in FILES:
        written = tmp_path / "grpolint" / path.relative_to(ROOT / "skill")
        assert written.read_bytes() == path.read_bytes()
        assert str(written) in told
    assert main(["skill", "install", "--dir", str(tmp_path)]) == 0, "it replaces an earlier copy"


def test_another_skill_is_not_overwritten(tmp_path, capsys):
    there = tmp_path / "grpolint" / "SKILL.md"
    there.parent.mkdir()
    there.write_text("---\nname: other\n---\n")
    assert main(["skill", "install", "--dir", str(tmp_path)]) == 2
    assert "is another skill" in capsys.readouterr().err
    assert there.read_text().startswith("---\nname: other")
