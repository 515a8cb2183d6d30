"""The command line of a Hydra program: its flags, and the overrides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grpolint.documents.source import Span
from grpolint.frameworks.hydra.overrides import Override, OverrideError, read_word
from grpolint.launch import Part, Word
from grpolint.records import Record, field
from grpolint.regex import regex

__all__ = ["BadWord", "CommandLine", "read_command_line"]

_VALUED = {
    "--config-name": "name",
    "-cn": "name",
    "--config-path": "path",
    "-cp": "path",
    "--config-dir": "dir",
    "-cd": "dir",
    "--package": "",
    "-p": "",
    "--cfg": "",
    "-c": "",
    "--info": "",
    "-i": "",
    "--experimental-rerun": "",
}
_SWITCHES = frozenset(
    (
        "--multirun",
        "-m",
        "--run",
        "-r",
        "--resolve",
        "--help",
        "-h",
        "--hydra-help",
        "--version",
        "--shell-completion",
        "-sc",
    )
)

_KEY = regex(r"(?:\+{1,2})?[A-Za-z_]\w*(?:\.[\w-]+)+=?")
_VALUE = regex(r"[^-=~+][^=]*")


class BadWord(Record):
    """A word that Hydra cannot read: `detail` says why in one sentence."""

    word: Word
    detail: str

    @property
    def span(self) -> Span | None:
        """Where the word stands."""
        return self.word.span


class CommandLine(Record, frozen=False):
    """What a command line says. `name`, `path` and `dir` are the values of --config-name, --config-path, --config-dir.

    `open_words` are arguments whose text is unknown altogether: they may hold any override, or none.
    """

    name: Word | None = None
    path: Word | None = None
    dir: Word | None = None
    multirun: bool = False
    overrides: list[Override] = field(default_factory=list)
    bad: list[BadWord] = field(default_factory=list)
    open_words: list[Word] = field(default_factory=list)


def read_command_line(argv: Sequence[Word]) -> CommandLine:
    """Read the arguments of a Hydra program."""
    line = CommandLine()
    words = iter(_joined(argv, line))
    for word in words:
        if word.prefix.startswith("-") and _flag(line, word, words):
            continue
        try:
            override = read_word(word)
        except OverrideError as error:
            if word.known:
                if word.condition is None:
                    line.bad.append(BadWord(word, str(error)))
            else:
                line.open_words.append(word)
            continue
        line.overrides.append(override)
    return line


def _joined(argv: Sequence[Word], line: CommandLine) -> Iterator[Word]:
    """The words, with `key = value` as the one word it was meant to be: Hydra refuses it, but what it was meant to set
    still counts for everything else.
    """
    at = 0
    while at < len(argv):
        word, (count, value) = argv[at], _split_by_blanks(argv, at)
        at += count
        if value is None:
            yield word
            continue
        key = (word.text or "").rstrip("=")
        meant = Word((Part(f"{key}=", None, word.origins), *value.parts), word.span)
        detail = f"blanks around = make {count} words of {meant.pattern}, and Hydra reads each on its own"
        line.bad.append(BadWord(word, detail))
        yield meant


def _split_by_blanks(argv: Sequence[Word], at: int) -> tuple[int, Word | None]:
    """How many words `key = value`, `key =value` or `key= value` takes at `at`, and its value; 1 and None for others."""
    first, *rest = argv[at : at + 3]
    if any(word.condition is not None for word in (first, *rest)) or not _KEY.fullmatch(first.text or ""):
        return 1, None
    following = rest[0] if rest else None
    if (first.text or "").endswith("="):
        alone = following is not None and bool(following.parts) and _VALUE.fullmatch(following.text or "")
        return (2, following) if alone else (1, None)
    if following is None or not following.prefix.startswith("="):
        return 1, None
    if following.text != "=":
        return 2, following.split_at(1)[1]
    return (3, rest[1]) if len(rest) > 1 else (1, None)


def _flag(line: CommandLine, word: Word, words: Iterator[Word]) -> bool:
    """Read a flag, with its value from the following words; false if the word is none of Hydra's."""
    prefix = word.prefix
    name, equal, _ = prefix.partition("=")
    if name in _SWITCHES:
        line.multirun = line.multirun or name in ("--multirun", "-m")
        return True
    if name not in _VALUED:
        return False
    value = word.split_at(len(name) + 1)[1] if equal else next(words, None)
    kind = _VALUED[name]
    if kind == "name":
        line.name = value
    elif kind == "path":
        line.path = value
    elif kind == "dir":
        line.dir = value
    return True
