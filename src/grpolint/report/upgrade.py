"""What another release changes, as text and as JSON (`grpolint.upgrade/1`)."""

from __future__ import annotations

from typing import Any

from grpolint.differences import Difference
from grpolint.documents.source import Span
from grpolint.report.collect import Item
from grpolint.report.difference import difference_rows, difference_table
from grpolint.report.terminal import Paint, visible
from grpolint.rules.api import show
from grpolint.upgrade import Declared, Refused, Upgrade

__all__ = ["upgrade_row", "upgrade_text"]


def upgrade_text(found: Upgrade, paint: Paint, *, everything: bool) -> str:
    """One run. `everything` lists all defaults that moved, not only those that decide what is trained."""
    run = found.run
    line = f":{run.span.line}" if run.span is not None else ""
    lines = [f"{paint(visible(run.source.path) + line, 'bold')}  {visible(run.program)}"]
    for name, (version, target) in found.versions.items():
        said = "" if version.origin == "--from" else f"  ({visible(version.origin)})"
        lines.append(f"{name} {visible(version.text)} -> {visible(target)}{said}")
    if found.refused:
        lines += ["", paint("must be changed", "error")]
        lines += [_refused(each, paint) for each in found.refused]
        lines.append("  (what then follows for the run, and new findings, can be told once these are changed)")
    misfits = [each for each in found.declared if each.problem]
    if misfits:
        lines += ["", paint("values that no longer fit", "error")]
        lines += [f"  {_at(each.span)}{visible(each.key)}: it is {visible(each.problem)}" for each in misfits]
    important = list(found.important)
    others = [each for each in found.defaults if each not in important]
    if important:
        lines += ["", paint("defaults that change what is trained, and that the file leaves alone", "warning")]
        lines += difference_table(important, paint, origins=False)
    if others and everything:
        lines += ["", paint("other defaults that changed", "bold"), *difference_table(others, paint, origins=False)]
    elif others:
        lines += ["", f"{len(others)} other defaults changed (--all lists them)"]
    if found.facts:
        lines += ["", paint("what follows for the run", "bold")]
        lines += difference_table(list(found.facts), paint, origins=False)
    rest = [each for each in found.declared if not each.problem]
    if rest:
        lines += ["", paint("options of the file that are declared otherwise", "bold")]
        lines += [f"  {_at(each.span)}{visible(each.key)}: {_declared(each)}" for each in rest]
    if found.findings:
        lines += ["", paint("new findings", "bold"), *(_finding(item, paint) for item in found.findings)]
    if found.gone:
        lines += ["", paint("findings that the old release has and the new one has not", "bold")]
        lines += [_finding(item, paint) for item in found.gone]
    if not (found.refused or found.defaults or found.declared or found.findings or found.facts):
        lines += ["", "nothing changes for this file"]
    return "\n".join(lines)


def _at(span: Span | None) -> str:
    return f"{visible(span.outer().source.path)}:{span.line}  " if span is not None else ""


def _refused(each: Refused, paint: Paint) -> str:
    head = f"  {_at(each.span)}{visible(each.key)}"
    if each.names:
        since = f" (since {each.since})" if each.since else ""
        return f"{head}  ->  {paint(visible(' and '.join(each.names)), 'good')}{since}"
    if each.since:
        return f"{head}: removed in {each.since}, without a successor"
    return f"{head}: {visible(each.message)}"


def _declared(each: Declared) -> str:
    told = []
    for field, before, after in each.changes:
        if field == "renamed":
            told.append(f"since {before} it is called {' and '.join(after) or 'nothing, without a successor'}")
        elif field == "deprecated":
            told.append("deprecated" if after else "no longer deprecated")
        elif field == "choices" and isinstance(before, list) and isinstance(after, list):
            new = [show(choice) for choice in after if choice not in before]
            lost = [show(choice) for choice in before if choice not in after]
            told += [f"new choices {', '.join(new)}"] if new else []
            told += [f"choices no more: {', '.join(lost)}"] if lost else []
        else:
            told.append(f"{field} {show(before)} -> {show(after)}")
    return visible("; ".join(told))


def _finding(item: Item, paint: Paint) -> str:
    name = item.severity.name.lower()
    return f"  {_at(item.span)}{paint(f'{name}[{item.entry.id}]', name)} {visible(item.finding.message)}"


# grpolint.upgrade/1


def upgrade_row(found: Upgrade) -> dict[str, Any]:
    """One run as plain data."""
    run = found.run
    return {
        "file": run.source.path,
        "line": run.span.line if run.span is not None else None,
        "program": run.program,
        "versions": {
            name: {"from": version.text, "to": target, "assumed": version.assumed, "origin": version.origin}
            for name, (version, target) in found.versions.items()
        },
        "must_change": found.must,
        "refused": [
            {
                "framework": each.framework,
                "key": each.key,
                **_span(each.span),
                "message": each.message,
                "since": each.since or None,
                "names": list(each.names),
            }
            for each in found.refused
        ],
        "defaults": _ranked(found.defaults, found.important),
        "declared": [
            {
                "framework": each.framework,
                "key": each.key,
                **_span(each.span),
                "problem": each.problem or None,
                "changes": [{"what": what, "before": old, "after": new} for what, old, new in each.changes],
            }
            for each in found.declared
        ],
        "facts": difference_rows(found.facts),
        "findings": [_item(item) for item in found.findings],
        "gone": [_item(item) for item in found.gone],
        "added": found.added,
    }


def _ranked(items: tuple[Difference, ...], important: tuple[Difference, ...]) -> list[dict[str, Any]]:
    return [{**row, "important": each in important} for each, row in zip(items, difference_rows(items), strict=True)]


def _item(item: Item) -> dict[str, Any]:
    return {
        "rule": item.entry.id,
        "severity": item.severity.name.lower(),
        "message": item.finding.message,
        **_span(item.span),
    }


def _span(span: Span | None) -> dict[str, Any]:
    outer = span.outer() if span is not None else None
    return {
        "file": outer.source.path if outer is not None else None,
        "line": span.line if span is not None else None,
    }
