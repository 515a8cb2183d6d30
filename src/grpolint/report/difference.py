"""Differences between two readings as text and JSON: what `upgrade` and `compare` have in common."""

from __future__ import annotations

from typing import Any

from grpolint.differences import Difference
from grpolint.report.show import origin_text
from grpolint.report.terminal import Paint, visible
from grpolint.report.unknown import why
from grpolint.rules.api import show
from grpolint.values import Default, Unknown, Value

__all__ = ["difference_rows", "difference_table", "short", "where"]


def short(value: Value | None) -> str:
    """A value in a few words."""
    if value is None:
        return "-"
    if isinstance(value, Unknown):
        return f"({visible(why(value.reason))})"
    return visible(show(value.value)) or '""'


def where(value: Value | None) -> str:
    """Where it comes from: a file and line, or the release whose default it is."""
    if value is None:
        return "absent"
    if isinstance(value, Default):
        return f"default of {value.framework} {value.version}"
    return origin_text(value.origins)


def difference_table(items: list[Difference], paint: Paint, *, origins: bool) -> list[str]:
    """One line each: name, value before, value after; `origins` adds where each value comes from, on the next line."""
    names = [visible(each.key) for each in items]
    wide = min(max(map(len, names), default=0), 64)
    left = [short(each.before) for each in items]
    room = min(max(map(len, left), default=0), 28)
    lines = []
    for name, each, text in zip(names, items, left, strict=True):
        lines.append(f"  {name:<{wide}}  {paint(f'{text:<{room}}', 'dim')}  ->  {paint(short(each.after), 'good')}")
        if origins:
            lines.append(paint(f"      {where(each.before) or '?'}  |  {where(each.after) or '?'}", "dim"))
    return lines


def difference_rows(items: tuple[Difference, ...] | list[Difference]) -> list[dict[str, Any]]:
    """Each as plain data, both values with state and origin."""
    from grpolint.report.json import value_row

    return [
        {
            "framework": each.framework,
            "key": each.key,
            "before": value_row(each.before) if each.before is not None else None,
            "after": value_row(each.after) if each.after is not None else None,
            "set": list(each.set),
        }
        for each in items
    ]
