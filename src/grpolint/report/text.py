"""Findings as text for people: a header, an excerpt with carets, notes, the remedy, and a summary at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from grpolint.check import CRASH
from grpolint.documents.source import Problem
from grpolint.findings import Label, Severity
from grpolint.report.collect import Item, Missing
from grpolint.report.excerpt import excerpt, gutter_width
from grpolint.report.terminal import Paint, visible
from grpolint.report.unknown import supply, why

__all__ = ["Tally", "finding", "problem", "summary", "undecided"]


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


def undecided(path: str, values: list[Missing], paint: Paint) -> str:
    """What kept checks of one file undecided: each unknown value, why, which option supplies it, which rules wait."""
    lines = [f"{paint('undecided', 'bold')} in {visible(path)}:"]
    for value in values:
        option = supply(value.ref, value.reason)
        name = value.ref.removeprefix("fact:").replace("_", " ") if value.ref.startswith("fact:") else value.ref
        lines.append(f"  {visible(name)}: {visible(why(value.reason))}")
        hint = f"give {paint(visible(option), 'bold')} to decide " if option else "needed by "
        lines.append(f"    {hint}{', '.join(value.rules)}")
    return "\n".join(lines)


@dataclass
class Tally:
    """What a summary counts over all files."""

    severities: list[Severity] = field(default_factory=list)
    files: int = 0
    read: int = 0
    skipped: int = 0
    runs: int = 0
    undecided: int = 0
    unreadable: int = 0
    example: str = ""
    assumed: dict[str, str] = field(default_factory=dict)


def summary(tally: Tally, paint: Paint, verbose: bool) -> str:
    """The last lines: findings by severity, checks that stayed undecided, releases that were assumed."""
    where = f"{_count(tally.runs, 'run')} in {_count(tally.files, 'file')}"
    lines = []
    if tally.runs or tally.severities:
        kinds = [(each, tally.severities.count(each)) for each in sorted(Severity, reverse=True)]
        parts = [
            paint(_count(number, each.name.lower(), "infos" if each is Severity.INFO else ""), each.name.lower())
            for each, number in kinds
            if number
        ]
        lines.append(f"{', '.join(parts) if parts else paint('no findings', 'good')} ({where})")
    elif tally.read > tally.unreadable:
        read = "" if not tally.read else f" in {_count(tally.read, 'file')} read"
        lines.append(paint(f"no training launch recognised{read}", "warning"))
    if tally.undecided:
        how = f", for example {tally.example}" if tally.example and not verbose else ""
        tell = "" if verbose else "; -v lists them"
        lines.append(f"undecided: {_count(tally.undecided, 'check')} for want of a value{tell}{how}")
    if tally.assumed:
        names = ", ".join(f"{name} {version}" for name, version in sorted(tally.assumed.items()))
        say = next(iter(sorted(tally.assumed)))
        lines.append(f"assumed: {visible(names)} (newest known; say --with {say}==...)")
    if verbose and tally.skipped:
        lines.append(f"skipped: {_count(tally.skipped, 'file')} that start or configure no training known here")
    if tally.unreadable:
        lines.append(paint(f"unreadable: {_count(tally.unreadable, 'file')}", "error"))
    return "\n".join(lines)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
