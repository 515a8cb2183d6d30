"""What a rule is written with: the `rule` decorator and the `Inquiry` it asks its questions of.

A rule names a quantity by a *reference*: `verl:actor_rollout_ref.rollout.n` (an option of a framework), `fact:world_size`
(a shared fact) or `env:NCCL_DEBUG` (an environment variable that the script sets). Every question is recorded, so
the engine knows what decided the outcome, and a rule that needs an unknown value is undecided without a line of its
own: the question raises `Undecided`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grpolint.changes import Change
from grpolint.documents.source import Span
from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.records import Record, field
from grpolint.rules.guards import SET, Guard, above, below
from grpolint.run import Run, Setting
from grpolint.values import VARIABLES, Default, Known, Origin, Unknown, Value

__all__ = ["SET", "Evidence", "Inquiry", "NotApplicable", "Place", "Rule", "Undecided", "above", "below", "rule"]

_INFINITY = float("inf")

_BITS = 64
"""Bits of the largest number that settings are counted in; what is larger is no setting."""

Place = str | tuple[str, str] | Label
"""Where a finding points: a reference, a reference with a few words, or a label made by hand."""


class Undecided(Exception):
    """A value that the rule needs is unknown. `missing` names it with its reason."""

    def __init__(self, *missing: str) -> None:
        super().__init__(", ".join(missing))
        self.missing = missing


class NotApplicable(Exception):
    """The rule does not concern this run; `str(error)` may say why in one sentence."""


class Evidence(Record):
    """What is known and from where.

    `ref` is `owner/repo#number` for a thread, or `package version: file` for a released source; `url` is where to read
    it; `says` one sentence in our own words; `grade` one of confirmed, partly, unverified, contradicted, opinion.
    """

    ref: str
    url: str
    says: str
    grade: str = "confirmed"


class Rule(Record):
    """A rule with all that is known of it. `check` is the pure function.

    `frameworks` maps the frameworks it concerns to version ranges (PEP 440 specifiers, "" for all); the engine runs it
    only for runs that have one of them in range. An empty mapping means every run.
    """

    id: str
    name: str
    summary: str
    severity: Severity
    confidence: Confidence
    frameworks: Mapping[str, str]
    evidence: tuple[Evidence, ...]
    check: Callable[[Inquiry], Iterator[Finding]]
    since: str = "0.1.0"
    default: bool = True
    aliases: tuple[str, ...] = ()
    doc: str = ""
    any_program: bool = False
    """Whether it asks only for the launch, so that it judges launches of unknown programs too."""
    policy: str = "evidence"
    """The policy it belongs to: `evidence`, `handbook` for a rule of the handbook as that states it, `any` for one that only
    says what cannot be read.
    """
    when: Guard = field(default_factory=dict)
    """What must hold for it to have anything to say (grpolint.rules.guards): decided before its module is imported."""

    @property
    def family(self) -> str:
        """The two letters of its id."""
        return self.id[:2]


def rule(
    *,
    id: str,  # noqa: A002 - the word everybody uses
    name: str,
    summary: str,
    severity: Severity,
    confidence: Confidence = Confidence.HIGH,
    frameworks: Mapping[str, str] | None = None,
    evidence: tuple[Evidence, ...],
    since: str = "0.1.0",
    default: bool = True,
    aliases: tuple[str, ...] = (),
    any_program: bool = False,
    policy: str = "evidence",
    when: Guard | None = None,
) -> Callable[[Callable[[Inquiry], Iterator[Finding]]], Rule]:
    """Make a rule of a function; the module's docstring is its documentation. A module has one rule, named `check`."""

    def wrap(function: Callable[[Inquiry], Iterator[Finding]]) -> Rule:
        doc = str(sys.modules[function.__module__].__doc__ or "")
        return Rule(
            id,
            name,
            summary,
            severity,
            confidence,
            dict(frameworks or {}),
            evidence,
            function,
            since,
            default,
            aliases,
            doc,
            any_program,
            policy,
            dict(when or {}),
        )

    return wrap


class Inquiry(Record, frozen=False):
    """A run as a rule sees it: questions by reference, each recorded in `asked`. `usual` is the rule's own severity."""

    run: Run
    asked: dict[str, Value | None] = field(default_factory=dict)
    usual: Severity = Severity.WARNING

    # questions

    def ask(self, ref: str) -> Value | None:
        """The value behind a reference, unknown or not; None where there is no such thing in this run."""
        kind, _, name = ref.partition(":")
        if kind == "fact":
            value = self.run.fact(name)
        elif kind == "env":
            value = self.run.environment(name)
        else:
            value = self.run.value(kind, name)
        self.asked[ref] = value
        return value

    def known(self, ref: str) -> Any:
        """Its plain value; None where there is no such thing. Raises Undecided if it is unknown, or beyond all counting."""
        value = self.ask(ref)
        if isinstance(value, Unknown):
            raise Undecided(f"{ref} ({value.reason})")
        return None if value is None else _bounded(ref, value.value)

    def require(self, ref: str) -> Any:
        """Its plain value. Raises Undecided if it is unknown, and where nothing says it."""
        value = self.known(ref)
        if value is None:
            raise Undecided(f"{ref} (nothing says it)")
        return value

    def number(self, ref: str) -> int | float | None:
        """As a number, also an infinite one; None where absent, null or not a number. Raises Undecided if unknown."""
        value = self.known(ref)
        if isinstance(value, str):
            try:
                value = float(value) if any(c in value.lower() for c in ".e") else int(value)
            except ValueError:
                return None
            value = _bounded(ref, value)
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def integer(self, ref: str) -> int | None:
        """As a whole number; None where absent, null or not whole. Raises Undecided if unknown or infinite."""
        value = self.number(ref)
        if value in (_INFINITY, -_INFINITY):
            raise Undecided(f"{ref} (infinite)")
        return int(value) if value is not None and value == int(value) else None

    def flag(self, ref: str) -> bool | None:
        """As a truth value; None where absent, null or neither. Raises Undecided if unknown."""
        value = self.known(ref)
        if isinstance(value, str):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(value.lower())
        return bool(value) if isinstance(value, (bool, int)) else None

    def text(self, ref: str) -> str | None:
        """As text; None where absent or null. Raises Undecided if unknown."""
        value = self.known(ref)
        return None if value is None else str(value)

    def is_set(self, ref: str) -> bool:
        """Whether a document sets it (rather than a default deciding)."""
        kind, _, name = ref.partition(":")
        self.ask(ref)
        if kind == "env":
            return name in self.run.env
        return self.run.setting(kind, name) is not None

    def setting(self, ref: str) -> Setting | None:
        """The setting as a document makes it, None if none does."""
        kind, _, name = ref.partition(":")
        self.ask(ref)
        return self.run.setting(kind, name)

    def release(self, framework: str) -> str | None:
        """The release of a framework that somebody named; None where the newest one was only assumed.

        It need not have settings in this run: the engine below a trainer.
        """
        settings = self.run.settings.get(framework)
        if settings is not None and not settings.version.assumed:
            return settings.version.text
        return self.run.releases.get(framework)

    # answers

    def finding(
        self,
        message: str,
        *places: Place,
        notes: tuple[str, ...] = (),
        help: str = "",  # noqa: A002
        changes: tuple[Change, ...] = (),
        severity: Severity | None = None,
        cause: bool = False,
    ) -> Finding:
        """A finding that points at the places given, the first one with a position being primary.

        A place whose value is a default becomes a note that names the release; the variable behind a value gets a
        label of its own. Without any position the launch itself is pointed at. A default of a release that is only
        assumed makes a warning at most, where other releases have another default.
        """
        labels: list[Label] = []
        said: list[str] = []
        doubtful = ""
        for place in places:
            if isinstance(place, Label):
                labels.append(place)
                continue
            ref, text = place if isinstance(place, tuple) else (place, "")
            found, note = self._place(ref, text)
            labels.extend(label for label in found if all(label.span != other.span for other in labels))
            if note and note not in said:
                said.append(note)
                doubtful = doubtful or self._other_default(ref)
        if doubtful:
            severity = min(severity or self.usual, Severity.WARNING)
            said.append(doubtful)
        lost = self._lost() if said else ""
        if lost:
            said.append(lost)
        if not labels and self.run.span is not None:
            labels.append(Label(_first_line(self.run.span), "this launch" if self.run.launch is not None else ""))
        primary = labels[0] if labels else None
        return Finding(message, primary, tuple(labels[1:]), (*said, *notes), help, changes, severity, cause)

    def _other_default(self, ref: str) -> str:
        """A note where the default behind a reference is one of an assumed release, and others have another."""
        framework, _, key = ref.partition(":")
        settings = self.run.settings.get(framework)
        if settings is None or not settings.version.assumed:
            return ""
        from grpolint.catalog.history import history

        lives = filter(None, (history(framework, table.name, key) for table in settings.tables))
        defaults = {repr(record.get("default")) for life in lives for *_, record in life.spans}
        return (
            f"other releases of {framework} have another default: say --with {framework}==..."
            if len(defaults) > 1
            else ""
        )

    def _lost(self) -> str:
        """A note on options that were meant for this launch and never reach it: a default may decide for that reason."""
        slips = [slip for slip in self.run.launch.slips if slip.kind == "lost-options"] if self.run.launch else []
        if not slips:
            return ""
        line = slips[0].span.line
        return f"the options from line {line} on never reach this launch (CF010), so that defaults decide"

    def _place(self, ref: str, text: str) -> tuple[list[Label], str]:
        """Labels for a reference, and a note where a default decides it."""
        value = self.asked[ref] if ref in self.asked else self.ask(ref)
        name = ref.partition(":")[2]
        if isinstance(value, Default):
            where = f", {value.source}" if value.source else ""
            return [], f"{name} is {show(value.value)} by default ({value.framework} {value.version}{where})"
        if value is None:
            return [], ""
        spans = [origin for origin in value.origins if origin.span is not None]
        uses = [origin for origin in spans if origin.what not in VARIABLES] or spans[:1]
        if not ref.startswith("fact:"):
            uses = uses[:1]  # what follows made this value; only a fact is made of several settings
        labels = [
            Label(origin.span, "" if index else text) for index, origin in enumerate(uses) if origin.span is not None
        ]
        if len(spans) > 1 and spans[-1].what in VARIABLES and spans[-1].span is not None:
            labels.append(Label(spans[-1].span, f"{spans[-1].detail or 'the value'} is set here"))
        note = ""
        if not labels:
            note = _defaults_note(name, value, value.origins)
        return labels, note


def _bounded(ref: str, value: Any) -> Any:
    """A value that can be computed with. Raises Undecided for NaN and for numbers that no program counts to: of those
    nothing is known, and products of them have no end.
    """
    if isinstance(value, float) and math.isnan(value):
        raise Undecided(f"{ref} (not a number)")
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise Undecided(f"{ref} (beyond {_BITS} bits)")
    return value


def show(value: Any) -> str:
    """A value as configuration files write it: true, null, 1e-06, text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _defaults_note(name: str, value: Known | Unknown, origins: tuple[Origin, ...]) -> str:
    by_default = next((origin.detail for origin in origins if origin.what == "default"), "")
    if not by_default or not isinstance(value, Known):
        return ""
    return f"{name.replace('_', ' ')} is {show(value.value)} by default ({by_default})"


def _first_line(span: Span) -> Span:
    """The part of a span on its first line, without the backslash that continues it."""
    head = span.text.partition("\n")[0].rstrip("\\ \t\r")
    return Span(span.source, span.start, span.start + len(head)) if head else span
