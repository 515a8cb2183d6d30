"""The line that says how far a walk has come: only on a terminal, only if it takes long, and gone at the end."""

import io
import sys

import pytest

from grpolint.cli import progress
from grpolint.cli.main import main


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1)


def test_shown_and_gone(folder, terminal, impatient):
    folder(a_json='{"zero_optimization": {"stage": 2}}', b_json="{}")
    assert main(["check", "."]) == 0
    assert terminal.getvalue().startswith("\r\x1b[Kreading file 1: a.json")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_not_for_a_short_walk(folder, terminal):
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    main(["check", "."])
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("options", [["-q"], ["--format", "json"]])
def test_not_for_quiet_or_machines(folder, terminal, impatient, options):
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    main(["check", ".", *options])
    assert terminal.getvalue() == ""


def test_not_without_a_terminal(folder, impatient, capsys):
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    main(["check", "."])
    assert capsys.readouterr().err == ""


def test_name_cannot_command_the_terminal(folder, terminal, impatient, tmp_path):
    folder()
    (tmp_path / "a\x1b[2J.json").write_text("{}")
    main(["check", "."])
    assert "\x1b[2J" not in terminal.getvalue()
