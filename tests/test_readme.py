"""The README says what is true: its output is what the demo prints, its settings are accepted, its commands exist."""

import re
from pathlib import Path

import pytest

from grpolint.cli.main import COMMANDS, main
from grpolint.frameworks.survey import renewed
from grpolint.settings_file import load

ROOT = Path(__file__).parent.parent
MODES = ("matrix", "moe", "muon", "fsdp", "zero", "lab", "skill")
"""Commands whose first word is a mode with options of its own."""

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_shown_output_is_what_the_demo_prints(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    command, shown = re.search(r"```console\n\$ grpolint (.*?)\n(.*?)```", README, re.DOTALL).groups()
    assert main(command.split()) == 1
    printed = capsys.readouterr().out
    for block in shown.split("\n...\nerror"):
        assert block.strip().removeprefix("error") in printed


def test_settings_are_accepted(tmp_path):
    text = re.search(r"```toml\n(.*?)```", README, re.DOTALL).group(1)
    path = tmp_path / "grpolint.toml"
    path.write_text(text)
    assert load(str(path)).versions == ("verl==0.8.0",)


@pytest.mark.parametrize("line", re.findall(r"^    (?:.*\| )?(grpolint .*?)(?:  +#.*)?$", README, re.MULTILINE))
def test_commands_and_their_options_exist(line, capsys):
    words = line.split()
    assert words[1] in COMMANDS
    main([*words[1:3], "--help"] if words[1] in MODES and len(words) > 2 else [words[1], "--help"])
    known = capsys.readouterr().out
    assert [word for word in words if word.startswith("--") and word not in known] == []


def test_the_table_of_frameworks_is_counted_from_the_code():
    assert renewed(README) == README, "run make generate"
