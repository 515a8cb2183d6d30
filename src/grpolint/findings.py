"""Findings and outcomes: what a rule says of a run."""

from __future__ import annotations

import enum

from grpolint.changes import Change
from grpolint.documents.source import Span
from grpolint.records import Record

__all__ = ["Confidence", "Finding", "Label", "Outcome", "Result", "Severity"]


class Severity(enum.IntEnum):
    """How bad it is. Ordered: a threshold compares."""

    INFO = 1
    WARNING = 2
    ERROR = 3


class Confidence(enum.IntEnum):
    """How sure the rule is that the finding is real. Ordered."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Label(Record):
    """A place in a document with a few words on its part in the finding."""

    span: Span
    text: str = ""
    secret: bool = False
    """Whether the characters must not be repeated in a report."""


class Finding(Record):
    """One thing that is wrong: a sentence, the places, and the remedy.

    `primary` is where to look first, `labels` are the other places that take part. `notes` say which default or fact
    decided. `help` is a sentence; where `changes` has a mechanical remedy it is made from that by `grpolint.fixes`.
    """

    message: str
    primary: Label | None = None
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    changes: tuple[Change, ...] = ()
    severity: Severity | None = None
    """Overrides the rule's own severity for this finding."""
    cause: bool = False
    """Whether others may follow from it: shown before them."""


class Outcome(enum.Enum):
    """What a rule came to for one run."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    WARN = "warn"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not applicable"


class Result(Record):
    """One rule on one run: its outcome, the findings, what decided it and what was missing.

    `decided_by` names the settings, facts and variables that the rule asked for (`verl:actor_rollout_ref.rollout.n`,
    `fact:world_size`, `env:NCCL_DEBUG`); `missing` names the unknown ones with their reasons.
    """

    rule: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    decided_by: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str = ""
    """Why it is not applicable, where the rule says so."""
