"""Launches: program starts found in a document, with the words they receive.

The shell reader makes them from scripts; other documents (a Kubernetes manifest, a Python launcher) may make them too.
"""

from __future__ import annotations

from grpolint.documents.source import Source, Span
from grpolint.records import Record, field
from grpolint.values import Origin

__all__ = ["Earlier", "FileText", "Launch", "Part", "Slip", "Word"]


class Part(Record):
    """A stretch of a word: known text, or one unknown.

    Exactly one of `text` and `unknown` is set. `unknown` is a reason as in `values.Unknown`. `origins` run from the
    place in the word to the place where the characters stand (a variable's assignment). `alternatives` lists the
    only possible texts of an unknown, where known. `symbolic` unknowns ($HOME, $USER, $(date), $RANDOM, the script's
    folder) are harmless: they name places and moments, and no rule should ask for them.
    """

    text: str | None = None
    unknown: str | None = None
    origins: tuple[Origin, ...] = ()
    alternatives: tuple[str, ...] = ()
    symbolic: bool = False


class Word(Record):
    """One argument of a command after all expansions, or the value of a variable.

    `span` is the word as written at its place of use in the file (for an array element: the element);
    adjacent known parts are one part. `condition` says under which undecidable condition the word is present
    (`branch:LINE`), None if always.
    """

    parts: tuple[Part, ...]
    span: Span | None = None
    condition: str | None = None

    @property
    def known(self) -> bool:
        """Whether every part is known text."""
        return all(part.text is not None for part in self.parts)

    @property
    def text(self) -> str | None:
        """The whole text if every part is known, else None."""
        return "".join(part.text or "" for part in self.parts) if self.known else None

    @property
    def pattern(self) -> str:
        """The text with each unknown written as `<reason>`: for messages and for settings that only display it."""
        return "".join(part.text if part.text is not None else f"<{part.unknown}>" for part in self.parts)

    @property
    def reason(self) -> str | None:
        """Reason of the first unknown part, None if all is known."""
        return next((part.unknown for part in self.parts if part.unknown is not None), None)

    @property
    def prefix(self) -> str:
        """The known text before the first unknown part."""
        return self.parts[0].text or "" if self.parts else ""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Origins of all parts in order, each once."""
        found = [origin for part in self.parts for origin in part.origins]
        return tuple(found if len(found) < 2 else dict.fromkeys(found))

    def split_at(self, offset: int) -> tuple[Word, Word]:
        """Two words, cut at character `offset` of the known prefix. Raises ValueError beyond it."""
        head = self.prefix
        if offset > len(head):
            raise ValueError("cut inside an unknown part")
        first = self.parts[0] if self.parts else Part("")
        left = Word((Part(head[:offset], None, first.origins),), self.span, self.condition)
        rest = (Part(head[offset:], None, first.origins), *self.parts[1:])
        right = Word(
            tuple(part for part in rest if part.text != "") or (Part("", None, first.origins),),
            self.span,
            self.condition,
        )
        return left, right


class FileText(Record):
    """A file that the script writes before the launch (a here-document, `echo ... > file`): its path and content.

    `source` is set when the content is completely known; otherwise `reason` says what is missing.
    """

    path: Word
    source: Source | None = None
    reason: str | None = None


class Slip(Record):
    """A slip of the pen in a script that bash accepts and that changes what the launch receives.

    `kind` is `lost-options` (a command whose name is an option: the command before it ended too early),
    `trailing-blank` (blanks after a backslash, so that no continuation happens) or `lost-assignment` (blanks around the
    equals sign, so that the variable does not get the value; it stands before the launch). `why` names the cause:
    `comment`, `blank line`, `missing backslash`, `blank after backslash`, `carriage return`, or an empty text.
    `span` covers the first lost word up to the last, `words` are the lost words, `cause` is the place to mend.
    """

    kind: str
    span: Span
    words: tuple[Word, ...] = ()
    why: str = ""
    cause: Span | None = None


class Earlier(Record):
    """A command of Ray (`ray start`, `ray stop`) that the script runs before a launch, on the same machine.

    `words` are its words, `ray` first; `env` is the environment that it starts with as far as the script sets it;
    `condition` as in `Launch`, and also set where it is only the default scenario that comes to it.
    """

    words: tuple[Word, ...]
    span: Span
    env: dict[str, Word] = field(default_factory=dict)
    condition: str | None = None


class Launch(Record):
    """One program start.

    `program` is the module or script that starts (`verl.trainer.main_ppo`, `train.py`, `vllm serve`), `argv` what it
    receives after it. `wrappers` names what was peeled off, outermost first (`srun`, `ray job submit`, `torchrun`,
    `accelerate`, `deepspeed`, `nohup`, `env`); `wrapper_argv` holds the options that each wrapper itself got, one
    entry a wrapper. `env` is the environment that the program sees as far as the script sets it, `inline` the
    variables set only for this command. `condition` is None, or the undecidable condition under which it runs.
    """

    program: str
    argv: tuple[Word, ...]
    span: Span
    wrappers: tuple[str, ...] = ()
    wrapper_argv: tuple[tuple[Word, ...], ...] = ()
    env: dict[str, Word] = field(default_factory=dict)
    cwd: Word | None = None
    condition: str | None = None
    files: tuple[FileText, ...] = ()
    directives: tuple[tuple[str, str, Span], ...] = ()
    """`#SBATCH` lines: option name without dashes, value, span."""
    slips: tuple[Slip, ...] = ()
    """Slips after this launch and before the next that belong to it."""
    open_ended: bool = False
    """Whether `"$@"` lets the caller append arguments."""
    limits: dict[str, Word] = field(default_factory=dict)
    """Soft limits of resources that the program starts with as far as the script sets them: `nofile` (`ulimit -n`), ..."""

    unexported: dict[str, Word] = field(default_factory=dict)
    """Variables with the names of environment variables that the script assigns and does not export."""
    left_behind: dict[str, Word] = field(default_factory=dict)
    """Variables of `env` that the script exports where the launch is typed, while the program starts in a container, on
    another machine or as a Ray job, which do not inherit them.
    """
    earlier: tuple[Earlier, ...] = ()
    """Commands of Ray before it, in the order in which they run."""

    @property
    def line(self) -> int:
        """Line of the command in the file on disk, from 1."""
        return self.span.line

    @property
    def path(self) -> str:
        """Path of the document on disk that holds it."""
        return self.span.outer().source.path
