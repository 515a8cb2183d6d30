"""The edits of mechanical remedies as a unified diff."""

from __future__ import annotations

import io
import sys

from grpolint.check import Report
from grpolint.documents.source import Source
from grpolint.fixes import Edit, apply
from grpolint.reader import Reading
from grpolint.reparse import reads_as_well
from grpolint.report.collect import Item
from grpolint.report.reporter import Reporter, Style
from grpolint.report.summary import Tally, summary
from grpolint.report.terminal import Paint, visible

__all__ = ["DiffReporter"]


class DiffReporter(Reporter):
    """One diff a file, with the rules it comes from above it; `patch -p0` and `git apply -p0` take it.

    Edits that overlap earlier ones, and edits after which the file would read differently in more than the intended
    settings, are left out. On a terminal characters that would command it are escaped. The rest goes to standard error.
    """

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._files: dict[str, list[Item]] = {}

    def checked(self, report: Report, items: list[Item]) -> None:
        """Remember the findings that have edits in one file."""
        for item in items:
            if item.edits and len({edit.source.path for edit in item.edits}) == 1:
                self._files.setdefault(item.edits[0].source.path, []).append(item)

    def passed_over(self, reading: Reading, named: bool) -> None:
        """There is nothing to edit."""

    def unreadable(self, path: str, message: str) -> None:
        """Say why."""
        self.style.before()
        sys.stderr.write(f"grpolint: {visible(message)}\n")

    def end(self, tally: Tally) -> None:
        """Print the diffs, and the summary beside them."""
        raw = not sys.stdout.isatty()
        if raw and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="surrogateescape")
        self.style.before()
        for items in self._files.values():
            sys.stdout.write(_one(items, self.style.paint, raw))
        if not self.style.quiet:
            sys.stderr.write(summary(tally, self.style.paint, self.style.verbose) + "\n")


def _one(items: list[Item], paint: Paint, raw: bool) -> str:
    source = items[0].edits[0].source
    text = source.text
    wanted: list[Edit] = []
    said = []
    for item in items:
        then, made = apply(source, [*wanted, *item.edits])
        if any(edit not in made for edit in item.edits):
            continue
        if then != text and not reads_as_well(
            Source(source.path, text), Source(source.path, then), item.finding.changes
        ):
            continue
        text, wanted = then, made
        kind = "safe" if all(edit.safe for edit in item.edits) else "unsafe: changes training"
        said.append(f"# {item.entry.id} {item.entry.name} ({kind}): {visible(item.help)}")
    if text == source.text:
        return ""
    head = "".join(paint(line, "dim") + "\n" for line in said)
    return head + _unified(source.path, source.text, text, paint, raw)


def _unified(path: str, before: str, after: str, paint: Paint, raw: bool) -> str:
    import difflib

    out = []
    roles = {"+": "added", "-": "removed", "@": "gutter"}
    for line in difflib.unified_diff(_lines(before), _lines(after), path, path):
        body = line.removesuffix("\n")
        shown = body if raw else "".join(char if char == "\t" else visible(char) for char in body)
        out.append(paint(shown, roles.get(line[:1], "")) + "\n")
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file\n")
    return "".join(out)


def _lines(text: str) -> list[str]:
    """Lines with their ends, cut at line feeds only, as `patch` does."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
