"""Draws a chart of a report as PNG or SVG. Needs matplotlib, without a display."""

from __future__ import annotations

from typing import Any

from grpolint.lab.tables import Cell, Chart, Report, Table

__all__ = ["draw"]

INCHES = (8.0, 4.8)
DOTS = 150

_STYLES = ("-", "--", "-.", ":")
_MARKS = "os^Dvx*"


def draw(report: Report, path: str) -> None:
    """Draw the first chart of the report into the file, in the format that its name ends in (`.png`, `.svg`).

    The same report gives the same file with the same matplotlib. Raises OSError where it cannot be written.
    """
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib.figure import Figure

    chart = report.charts[0]
    table = report.table(chart.table)
    # A salt of its own makes the ids of an SVG repeatable; text stays text, so that it can be searched.
    with mpl.rc_context({"svg.hashsalt": "grpolint", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=INCHES, dpi=DOTS, layout="constrained")
        axes = figure.add_subplot()
        (_bars if chart.bars else _curves)(axes, chart, table)
        axes.set_title(chart.title)
        figure.savefig(path, metadata={"Date": None} if path.lower().endswith(".svg") else {"Software": "grpolint"})


def _number(value: Cell) -> float:
    return float(value) if isinstance(value, (int, float)) else float("nan")


def _curves(axes: Any, chart: Chart, table: Table) -> None:
    x = [_number(value) for value in table.column(chart.x)]
    headings = {column.key: column.heading for column in table.columns}
    for place, key in enumerate(chart.series):
        # Curves often lie on each other: marks and dashes of their own keep each visible.
        axes.plot(
            x,
            [_number(value) for value in table.column(key)],
            label=headings[key],
            marker=_MARKS[place % len(_MARKS)],
            linestyle=_STYLES[place % len(_STYLES)],
            markersize=8 - 0.6 * place,
            fillstyle="none",
        )
    if chart.log_x:
        axes.set_xscale("log")
        if max(x) / min(x) < 1e4:
            axes.set_xticks(x, [f"{value:g}" for value in x], minor=False)
            axes.minorticks_off()
    if chart.log_y:
        axes.set_yscale("log")
    if chart.falling:
        axes.invert_xaxis()
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.set_ylim(bottom=None if chart.log_y else 0)
    axes.yaxis.set_major_formatter("{x:.3g}")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def _bars(axes: Any, chart: Chart, table: Table) -> None:
    headings = {column.key: column.heading for column in table.columns}
    if len(chart.series) > 1:
        # One row, a bar for each column.
        names = [headings[key] for key in chart.series]
        sizes = [_number(table.column(key)[0]) for key in chart.series]
        axes.bar(names, sizes)
        axes.set_ylabel(chart.y_label)
        return
    names = [str(value) for value in table.column(chart.x)]
    sizes = [_number(value) for value in table.column(chart.series[0])]
    bars = axes.barh(names, sizes)
    axes.bar_label(bars, labels=[f"{size:.3g}" for size in sizes], padding=3)
    axes.invert_yaxis()
    axes.set_xlabel(chart.x_label)
    axes.margins(x=0.1)
