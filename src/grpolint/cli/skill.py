"""`grpolint skill`: the skill with which an agent uses grpolint."""

from __future__ import annotations

from pathlib import Path

from grpolint.cli.main import OK
from grpolint.cli.modes import split_mode
from grpolint.cli.options import Parser
from grpolint.skills import SkillError, files, install

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print the skill, or write it where an agent finds it."""
    parser = Parser(
        "grpolint skill",
        "The skill with which an agent uses grpolint: `show` prints it (the default), `install` writes it.",
        "grpolint skill [show | install [--dir FOLDER]]",
    )
    parser.add_argument(
        "--dir", metavar="FOLDER", default=".claude/skills", help="folder of skills; default .claude/skills"
    )
    mode, rest = split_mode(words, "show")
    found = parser.read(rest)
    try:
        if mode == "install":
            for path in install(Path(found.dir).expanduser()):
                print(path)
            return OK
        if mode != "show":
            parser.error(f"unknown mode {mode!r}; there are show and install")
        print("\n".join(files().values()), end="")
    except SkillError as error:
        parser.error(str(error))
    return OK
