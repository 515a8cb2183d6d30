"""What a framework refuses, found while its configuration was composed, as findings."""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Inquiry
from grpolint.run import Complaint

__all__ = ["findings", "open_release"]


def findings(
    run: Inquiry,
    *kinds: str,
    label: str,
    help: str = "",  # noqa: A002
) -> Iterator[Finding]:
    """One finding for each complaint of these kinds; one that another release could accept is a warning."""
    for each in run.run.complaints:
        if each.kind not in kinds or open_release(each):
            continue
        yield run.finding(
            each.detail,
            *((Label(each.span, label),) if each.span is not None else ()),
            help=help,
            severity=None if each.certain else Severity.WARNING,
        )


def open_release(complaint: Complaint) -> bool:
    """Whether a value that nobody wrote is missed by a release that is only assumed: another may have a default for it."""
    return complaint.kind == "missing-value" and complaint.span is None and not complaint.certain
