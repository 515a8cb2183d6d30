"""What a framework refuses, found while its configuration was composed, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grpolint.changes import Change
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Inquiry
from grpolint.run import Complaint

__all__ = ["findings"]


def findings(
    run: Inquiry,
    *kinds: str,
    label: str,
    help: str = "",  # noqa: A002
    change: Callable[[Complaint], Change | None] = lambda _complaint: None,
) -> Iterator[Finding]:
    """One finding for each complaint of these kinds; one that another release could accept is a warning."""
    for each in run.run.complaints:
        if each.kind not in kinds:
            continue
        remedy = change(each)
        yield run.finding(
            each.detail,
            *((Label(each.span, label),) if each.span is not None else ()),
            help="" if remedy is not None else help,
            changes=(remedy,) if remedy is not None else (),
            severity=None if each.certain else Severity.WARNING,
        )
