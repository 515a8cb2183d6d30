"""Inline suppressions: `# grpolint: ignore[GR001] reason` and `# grpolint: ignore-file[...]`.

A comment counts for its own line, for the line below it, and, where it stands at or above the start of a command, for
the whole command: no comment may stand inside a continued one. JSON with comments takes `//`.
"""

from __future__ import annotations

from grpolint.check import Entry, entries, find_entry
from grpolint.documents.source import Source, Span
from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.records import Record, field

__all__ = ["UNUSED", "Suppression", "Suppressions"]

UNUSED = Entry(
    id="SU001",
    name="unused-suppression",
    module="",
    summary="a comment ignores a rule that finds nothing there",
    severity=Severity.INFO,
    confidence=Confidence.HIGH,
    frameworks={},
    default=True,
)
"""What an unused suppression is reported as."""

_MARK = "grpolint:"


class Suppression(Record):
    """One comment: the rules it names, whether it counts for the whole file, and where it stands."""

    patterns: tuple[str, ...]
    whole_file: bool
    span: Span
    line: int


class Suppressions(Record, frozen=False):
    """The suppressions of the files of one report; remembers which were of use."""

    _found: dict[str, list[Suppression]] = field(default_factory=dict)
    _used: set[tuple[Suppression, str]] = field(default_factory=set)

    def covers(self, entry: Entry, spans: tuple[Span, ...], command: Span | None) -> bool:
        """Whether a comment silences a finding of this rule with labels at `spans`, of a launch at `command`."""
        hit = False
        for span in spans:
            outer = span.outer()
            source = outer.source
            lines = {source.position(outer.start)[0]}
            if command is not None and command.outer().source.path == source.path:
                start, end = command.outer().start, command.outer().end
                lines.add(source.position(start)[0])
                lines.add(source.position(max(end - 1, start))[0])
            for suppression in self._of(source):
                if not suppression.whole_file and not any(_reaches(suppression, source, line) for line in lines):
                    continue
                for pattern in suppression.patterns:
                    if entry.matches(pattern):
                        self._used.add((suppression, pattern))
                        hit = True
        return hit

    def unused(self, source: Source, judged: set[str]) -> list[Finding]:
        """A finding for each part of a suppression in `source` that silenced nothing.

        `judged` are the ids of the rules that came to a decision; about others nothing can be said.
        """
        out = []
        for suppression in self._of(source):
            label = Label(suppression.span)
            if not suppression.patterns:
                message = "the comment names no rule; write `grpolint: ignore[GR001]`"
                out.append(Finding(message, label))
            for pattern in suppression.patterns:
                if (suppression, pattern) in self._used:
                    continue
                named = [entry for entry in entries() if entry.matches(pattern)]
                if not named:
                    out.append(Finding(f"no rule is called {pattern!r}", label))
                elif all(entry.id in judged for entry in named):
                    where = "in this file" if suppression.whole_file else "here"
                    out.append(Finding(f"{pattern} finds nothing {where}: the comment can go", label))
        return out

    def _of(self, source: Source) -> list[Suppression]:
        found = self._found.get(source.path)
        if found is None:
            found = self._found[source.path] = _scan(source) if _MARK in source.text else []
        return found


def _scan(source: Source) -> list[Suppression]:
    """The suppressions of a source."""
    found = []
    at = source.text.find(_MARK)
    while at >= 0:
        line, column = source.position(at)
        text = source.line_text(line)
        lead = text[: column - 1].rstrip()
        opened = "//" if lead.endswith("//") else "#"
        rest = text[column - 1 + len(_MARK) :].strip()
        word = next((word for word in ("ignore-file", "ignore") if rest.startswith(word)), None)
        if lead.endswith(opened) and word is not None:
            inside = rest[len(word) :].lstrip()
            names = inside[1:].partition("]")[0] if inside.startswith("[") and "]" in inside else ""
            patterns = tuple(_normal(name.strip()) for name in names.split(",") if name.strip())
            start = at - (column - 1) + len(lead.rstrip("#/"))
            span = Span(source, start, at - (column - 1) + len(text.rstrip()))
            found.append(Suppression(patterns, word == "ignore-file", span, line))
        at = source.text.find(_MARK, at + len(_MARK))
    return found


def _normal(name: str) -> str:
    """A rule's id for its id, name or alias in any letter case; anything else in capitals, as families are."""
    entry = find_entry(name)
    return entry.id if entry is not None else name.upper() if name.isalnum() else name


def _reaches(suppression: Suppression, source: Source, line: int) -> bool:
    """Whether a comment stands on the line, or directly above it with nothing but comments between."""
    if suppression.line == line:
        return True
    if suppression.line > line:
        return False
    return all(source.line_text(between).lstrip().startswith(("#", "//")) for between in range(suppression.line, line))
