"""What all formats print: the findings of one file with their rule, remedy and edits, suppressions applied."""

from __future__ import annotations

from grpolint.check import CRASH, Entry, Report, entries
from grpolint.documents.source import Span
from grpolint.findings import Confidence, Finding, Label, Outcome, Severity
from grpolint.fixes import Edit, edits, help_text
from grpolint.records import Record
from grpolint.report.excerpt import place
from grpolint.run import Run
from grpolint.suppress import UNUSED, Suppressions

__all__ = ["Item", "collect"]

_CRASHED = Entry(CRASH, "rule-failed", "", "a rule failed itself", Severity.WARNING, Confidence.HIGH, {}, True)


class Item(Record):
    """One finding as it is printed. `span` is its first place in a file on disk; None if it has no place."""

    entry: Entry
    finding: Finding
    severity: Severity
    span: Span | None
    labels: tuple[Label, ...]
    help: str
    edits: tuple[Edit, ...]


def collect(report: Report) -> list[Item]:
    """The findings of one file: causes of others first, then in the order of its lines; unused suppressions among them."""
    known = {entry.id: entry for entry in entries()}
    suppressions = Suppressions()
    items = []
    for run, result, finding in report.findings():
        entry = known.get(result.rule, _CRASHED)
        labels = ((finding.primary,) if finding.primary is not None else ()) + finding.labels
        spans = tuple(label.span for label in labels)
        if not suppressions.covers(entry, spans, run.launch.span if run.launch is not None else None):
            items.append(_item(entry, finding, labels, run))
    items.extend(_unused(report, suppressions))
    main = report.reading.source.path
    return sorted(items, key=lambda item: _order(item, main))


def _item(entry: Entry, finding: Finding, labels: tuple[Label, ...], run: Run | None) -> Item:
    told, made = finding.help, []
    if finding.changes and run is not None:
        from grpolint.frameworks.registry import framework

        words = []
        for change in finding.changes:
            leader = framework(getattr(change, "framework", run.trainer))
            words.append(help_text(change, run, leader))
            made.append(edits(change, run, leader))
        told = told or " and ".join(words)
    # A remedy of several changes is only an edit if all of them are.
    whole = tuple(edit for each in made for edit in each) if all(made) else ()
    span = place(labels[0].span) if labels else None
    return Item(entry, finding, finding.severity or entry.severity, span, labels, told, whole)


def _unused(report: Report, suppressions: Suppressions) -> list[Item]:
    judged: dict[str, bool] = {}
    for _, result in report.results:
        decided = result.outcome is not Outcome.UNDECIDED
        judged[result.rule] = judged.get(result.rule, True) and decided
    sure = {rule for rule, decided in judged.items() if decided}
    if not sure:
        return []
    found = []
    for finding in suppressions.unused(report.reading.source, sure):
        labels = (finding.primary,) if finding.primary is not None else ()
        found.append(_item(UNUSED, finding, labels, None))
    return found


def _order(item: Item, main: str) -> tuple[bool, int, str, int, str]:
    """Causes first; the file itself, then the files it names, then what has no place."""
    if item.span is None:
        return (not item.finding.cause, 2, "", 0, item.entry.id)
    path = item.span.source.path
    return (not item.finding.cause, int(path != main), path, item.span.start, item.entry.id)
