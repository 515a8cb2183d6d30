"""A rule of the handbook explained: as it stands, what is true of it, and by what that was judged."""

from __future__ import annotations

from typing import Any

from grpolint.check import Entry
from grpolint.evidence import Stated, thread
from grpolint.evidence.lookup import carriers, stated_as, why_silent
from grpolint.report.evidence import cited, thread_row, wrapped
from grpolint.report.rule import sections
from grpolint.report.terminal import Paint
from grpolint.rules.api import Rule

__all__ = ["page", "row"]


_EXAMPLES = ("Example", "Instead", "Fix safety")


def page(each: Stated, entries: tuple[Entry, ...], house: Rule | None, paint: Paint) -> str:
    """The page of one of the 36 as text.

    `entries` is the index of grpolint's rules, `house` the one that decides it as it stands: it has the examples.
    """
    lines = [
        paint(f"{each.id} {each.title}", "bold"),
        f"the handbook, {_kind(each)}: {each.text}",
        f"why: {each.why}",
        f"it cites {', '.join(each.bugs)}",
        "",
        paint(f"What is true of it ({each.grade})", "bold"),
        *wrapped(each.corrected),
        "",
        paint("When", "bold"),
        *wrapped(each.condition),
        "",
        paint("Rules", "bold"),
        *wrapped(why_silent(each)),
        *_rules(each, entries),
        f"- {each.id} decides it as it stands: grpolint check --policy handbook",
    ]
    for other in each.same_as:
        twin = stated_as(other)
        lines += [f"- {other} says the same: {twin.text}"] if twin is not None else []
    lines += _part("Decided from", each.decidable_from if each.decidable_from != "-" else "", paint)
    lines += _part("Edit", each.edit if each.edit != "none" else "", paint)
    lines += _part("Notes", each.notes, paint)
    if each.options:
        width = max(map(len, each.options))
        lines += ["", paint("Options", "bold")]
        lines += [f"  {name:<{width}}  {', '.join(keys)}" for name, keys in each.options.items()]
    for title, text in sections(house.doc).items() if house is not None else ():
        lines += ["", paint(title, "bold"), text] if title in _EXAMPLES else []
    lines += ["", paint("Evidence", "bold"), *cited(each.refs, paint)]
    return "\n".join(lines)


def _kind(each: Stated) -> str:
    return "must do" if each.kind == "do" else "must not"


def _part(title: str, text: str, paint: Paint) -> list[str]:
    return ["", paint(title, "bold"), *wrapped(text)] if text else []


def _rules(each: Stated, entries: tuple[Entry, ...]) -> list[str]:
    wanted = carriers(each)
    return [
        f"- {entry.id} {entry.name} ({entry.severity.name.lower()}): {entry.summary}"
        for entry in entries
        if entry.id in wanted
    ]


def row(each: Stated, house: Rule | None) -> dict[str, Any]:
    """The page for machines: the fields of the record, and what follows from them."""
    return {
        **{name: getattr(each, name) for name in each._fields if name not in ("kind", "refs", "rules")},
        "stands": _kind(each),
        "rules": carriers(each),
        "verdict": why_silent(each),
        "sections": sections(house.doc) if house is not None else {},
        "evidence": [thread_row(found) for ref in each.refs if (found := thread(ref)) is not None],
    }
