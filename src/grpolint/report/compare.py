"""Two launch files compared, as text and as JSON (`grpolint.compare/1`)."""

from __future__ import annotations

from typing import Any

from grpolint.compare import Comparison
from grpolint.differences import Difference
from grpolint.report.difference import difference_rows, difference_table
from grpolint.report.terminal import Paint, visible
from grpolint.run import Run

__all__ = ["comparison_row", "comparison_text", "lonely"]


def comparison_text(found: Comparison, paint: Paint) -> str:
    """One pair of runs: what is set first, then what follows from defaults, environment and facts."""
    lines = [paint(f"{_head(found.one)}  ->  {_head(found.other)}", "bold")]
    if found.same:
        return lines[0] + "\nno difference"
    if found.versions:
        lines.append("releases: " + ", ".join(f"{name} {a or '-'} -> {b or '-'}" for name, a, b in found.versions))
    written = [each for each in found.settings if any(each.set)]
    quiet = [each for each in found.settings if not any(each.set)]
    for title, items in (
        ("settings", written),
        ("environment", list(found.environment)),
        ("facts", list(found.facts)),
        ("defaults", quiet),
    ):
        lines += _section(title, items, paint)
    return "\n".join(lines)


def _section(title: str, items: list[Difference], paint: Paint) -> list[str]:
    lines: list[str] = []
    kinds = dict.fromkeys(each.framework for each in items)
    for kind in kinds:
        mine = [each for each in items if each.framework == kind]
        name = title if kind in ("fact", "env") else kind if title == "settings" else f"{title} of {kind}"
        lines += ["", paint(name, "bold"), *difference_table(mine, paint, origins=title != "defaults")]
    return lines


def _head(run: Run) -> str:
    line = f":{run.span.line}" if run.span is not None else ""
    return visible(f"{run.source.path}{line} {run.program}")


def lonely(run: Run, paint: Paint) -> str:
    """A run that the other file has no counterpart of."""
    return f"{paint(_head(run), 'bold')}\nonly in this file"


def comparison_row(found: Comparison) -> dict[str, Any]:
    """One pair as plain data."""
    return {
        "runs": [_run(found.one), _run(found.other)],
        "same": found.same,
        "versions": {name: [a, b] for name, a, b in found.versions},
        "settings": difference_rows(found.settings),
        "environment": difference_rows(found.environment),
        "facts": difference_rows(found.facts),
    }


def _run(run: Run) -> dict[str, Any]:
    line = run.span.line if run.span is not None else None
    return {"file": run.source.path, "line": line, "program": run.program, "trainer": run.trainer}
