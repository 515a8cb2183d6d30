"""What an experiment found: tables, what the handbook claimed, and how both are printed.

The numbers stay as they were computed; only the text rounds them, so that a golden text does not depend on the
processor and a program reads all digits.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Cell",
    "Chart",
    "Claim",
    "Column",
    "Report",
    "Table",
    "document",
    "percent",
    "plain",
    "power",
    "significant",
    "text",
]

Cell = float | int | str | None
"""One entry of a table; None is one that does not apply."""

WIDTH = 110
"""Columns of the text."""


def plain(value: Cell) -> str:
    """An entry as it stands; whole numbers with separators."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else str(value)


def significant(digits: int) -> Callable[[Cell], str]:
    """A printer of numbers with so many significant digits; text passes through."""

    def show(value: Cell) -> str:
        if not isinstance(value, float):
            return plain(value)
        shown = f"{value:.{digits}g}"
        return f"{float(shown):,.0f}" if "e+0" in shown and abs(value) < 1e7 else shown

    return show


def power(value: Cell) -> str:
    """A power of ten as such; 0 as 0."""
    return f"{value:.0e}" if isinstance(value, float) and value else plain(int(value) if value == 0 else value)


def percent(digits: int = 3, floor: float = 0.0) -> Callable[[Cell], str]:
    """A printer of shares as percentages with significant digits; a share that is not 0 but below `floor` as `<floor`."""

    def show(value: Cell) -> str:
        if not isinstance(value, (int, float)):
            return plain(value)
        if 0 < abs(value) < floor:
            return f"<{floor * 100:g}%"
        shown = f"{value * 100:.{digits}g}"
        return (f"{float(shown):.0f}" if "e+0" in shown else shown) + "%"

    return show


@dataclass(frozen=True)
class Column:
    """One column: the key that machines read, the heading with its unit, and how a value is printed."""

    key: str
    heading: str
    show: Callable[[Cell], str] = plain
    left: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of entries, one for each column, with notes below."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    notes: tuple[str, ...] = ()

    def column(self, key: str) -> list[Cell]:
        """The entries of one column. Raises ValueError where there is none."""
        place = [column.key for column in self.columns].index(key)
        return [row[place] for row in self.rows]


@dataclass(frozen=True)
class Claim:
    """What the handbook states, the rules it states it in, and what the numbers say."""

    rules: tuple[str, ...]
    claimed: str
    found: str


@dataclass(frozen=True)
class Chart:
    """How a table is drawn: the columns of x and of each curve, or, with `bars`, a bar for each row."""

    table: str
    x: str
    series: tuple[str, ...]
    title: str
    x_label: str
    y_label: str
    log_x: bool = False
    log_y: bool = False
    falling: bool = False
    bars: bool = False


@dataclass(frozen=True)
class Report:
    """Everything one experiment says. `seed` is None where nothing is drawn at random."""

    experiment: str
    seed: int | None
    claims: tuple[Claim, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    not_counted: tuple[str, ...] = ()

    def table(self, key: str) -> Table:
        """The table of that key. Raises StopIteration where there is none."""
        return next(table for table in self.tables if table.key == key)


def text(report: Report) -> str:
    """The report for a person: claims, then tables with aligned columns."""
    seed = "nothing random" if report.seed is None else f"seed {report.seed}"
    blocks = [f"grpolint lab {report.experiment}, {seed}"]
    for claim in report.claims:
        head = f"handbook {', '.join(claim.rules)}: " if claim.rules else "handbook: "
        blocks.append(_wrapped(head, claim.claimed) + "\n" + _wrapped("found: ", claim.found))
    blocks += [_table(table) for table in report.tables]
    if report.not_counted:
        blocks.append("\n".join(["Not counted", *(_wrapped("  - ", each, "    ") for each in report.not_counted)]))
    return "\n\n".join(blocks)


def _wrapped(head: str, body: str, indent: str = "  ") -> str:
    return textwrap.fill(
        body, WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _table(table: Table) -> str:
    cells = [[column.heading for column in table.columns]]
    cells += [[column.show(entry) for column, entry in zip(table.columns, row)] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = [table.title]
    for row in cells:
        parts = [
            entry.ljust(width) if column.left else entry.rjust(width)
            for column, entry, width in zip(table.columns, row, widths)
        ]
        lines.append(("  " + "  ".join(parts)).rstrip())
    lines += [_wrapped("  note: ", note) for note in table.notes]
    return "\n".join(lines)


def document(report: Report) -> dict[str, Any]:
    """The report for a program, schema `grpolint.lab/1`: all digits, rows as lists in the order of the columns."""
    return {
        "schema": "grpolint.lab/1",
        "experiment": report.experiment,
        "seed": report.seed,
        "claims": [{"rules": list(c.rules), "claimed": c.claimed, "found": c.found} for c in report.claims],
        "tables": [
            {
                "key": table.key,
                "title": table.title,
                "columns": [{"key": column.key, "heading": column.heading} for column in table.columns],
                "rows": [list(row) for row in table.rows],
                "notes": list(table.notes),
            }
            for table in report.tables
        ],
        "not_counted": list(report.not_counted),
    }
