"""What a framework refuses, found while its configuration was composed, as findings."""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Inquiry

__all__ = ["findings"]


def findings(
    run: Inquiry,
    *kinds: str,
    label: str,
    help: str = "",  # noqa: A002
) -> Iterator[Finding]:
    """One finding for each complaint of these kinds; one that another release could accept is a warning."""
    for each in run.run.complaints:
        if each.kind not in kinds:
            continue
        yield run.finding(
            each.detail,
            *((Label(each.span, label),) if each.span is not None else ()),
            help=help,
            severity=None if each.certain else Severity.WARNING,
        )
