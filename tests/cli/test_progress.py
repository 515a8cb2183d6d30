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
def shown(monkeypatch):
    """Runs a command with a terminal as standard error, and gives what was written there."""

    def run(*words):
        stream = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            main(["check", *words])
        return stream.getvalue()

    return run


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1)


def test_shown_and_gone(folder, shown, impatient):
    folder(a_json='{"zero_optimization": {"stage": 2}}', b_json="{}")
    text = shown(".")
    assert text.startswith("\r\x1b[Kreading file 1: a.json")
    assert text.endswith("\r\x1b[K")


def test_not_for_a_short_walk(folder, shown, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 3600)
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    assert shown(".") == ""


@pytest.mark.parametrize("options", [["-q"], ["--format", "json"]])
def test_not_for_quiet_or_machines(folder, shown, impatient, options):
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    assert shown(".", *options) == ""


def test_not_without_a_terminal(folder, impatient, capsys):
    folder(a_json='{"zero_optimization": {"stage": 2}}')
    main(["check", "."])
    assert capsys.readouterr().err == ""


def test_name_cannot_command_the_terminal(folder, shown, impatient, tmp_path):
    folder()
    (tmp_path / "a\x1b[2J.json").write_text("{}")
    text = shown(".")
    assert "a\\x1b[2J.json" in text
    assert "\x1b[2J" not in text
