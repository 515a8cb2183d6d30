"""Copies of EasyR1's package.

People take the package into their own tree and change it, and what they change shows in options that no release has. Such a
copy may count in its own way.
"""

from __future__ import annotations

from grpolint.findings import Severity
from grpolint.rules.api import Inquiry

__all__ = ["severity"]


def severity(run: Inquiry) -> Severity | None:
    """A warning for a changed copy, the rule's own severity for a release."""
    reason = run.run.settings["easyr1"].open_reason or ""
    return Severity.WARNING if reason.startswith("fork:") else None
