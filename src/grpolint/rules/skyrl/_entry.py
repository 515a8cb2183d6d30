"""Whose checks a SkyRL run goes through.

SkyRL's own entry points check the whole configuration before anything starts. Programs on top of them nearly always call the
same check, and may not.
"""

from __future__ import annotations

from grpolint.findings import Severity
from grpolint.rules.api import Inquiry

__all__ = ["joined", "severity"]


def severity(run: Inquiry) -> Severity | None:
    """A warning for programs on top of SkyRL, the rule's own severity for SkyRL's."""
    return None if "skyrl" in run.run.program else Severity.WARNING


def joined(run: Inquiry) -> bool:
    """Whether it is SkyRL since its packages were joined, and not skyrl-train."""
    tables = run.run.settings["skyrl"].tables
    return bool(tables) and tables[0].framework == "skyrl"
