"""One finding as text for people: a header, an excerpt with carets, notes, the remedy."""

from __future__ import annotations

from grpolint.check import CRASH
from grpolint.documents.source import Problem
from grpolint.findings import Label
from grpolint.report.collect import Item
from grpolint.report.excerpt import excerpt, gutter_width
from grpolint.report.terminal import Paint, visible

__all__ = ["finding", "problem"]


def finding(item: Item, paint: Paint, limit: int, verbose: bool = False) -> str:
    """One finding, without a line end. `limit` is the width of an excerpt in columns; `verbose` shows tracebacks."""
    role = item.severity.name.lower()
    head = paint(f"{role}[{item.entry.id}]", role) + " " + paint(f"{item.entry.name}:", "bold")
    lines = [f"{head} {paint(visible(item.finding.message), 'bold')}"]
    lines.extend(excerpt(item.labels, paint, role, limit) if item.labels else ())
    lead = " " * (gutter_width(item.labels) + 1) + paint("=", "gutter")
    for note in item.finding.notes:
        if item.entry.id != CRASH:
            lines.append(f"{lead} {paint('note:', 'bold')} {visible(note)}")
        elif verbose:
            lines.extend(f"{lead} {visible(line)}" for line in note.split("\n"))
    if item.help:
        kind = ""
        if item.edits:
            safe = all(edit.safe for edit in item.edits)
            kind = "     " + paint("[safe fix]" if safe else "[unsafe fix: changes training]", "dim")
        lines.append(f"{lead} {paint('help:', 'bold')} {visible(item.help)}{kind}")
    if item.entry.module:
        lines.append(f"{lead} {paint(f'grpolint explain {item.entry.id}', 'dim')}")
    return "\n".join(lines)


def problem(what: Problem, path: str, paint: Paint, limit: int) -> str:
    """Something that could not be read, with its place."""
    lines = [f"{paint('warning:', 'warning')} {paint(visible(what.message), 'bold')}"]
    if what.span is not None:
        lines.extend(excerpt((Label(what.span),), paint, "warning", limit))
    else:
        lines.append(f" {paint('-->', 'gutter')} {visible(what.path or path)}")
    return "\n".join(lines)
