"""The engine: which rules apply to a run, and the outcome of each."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from grpolint.findings import Confidence, Finding, Label, Outcome, Result, Severity
from grpolint.reader import Reading
from grpolint.records import Record, field, replace
from grpolint.rules.api import Inquiry, NotApplicable, Rule, Undecided
from grpolint.rules.guards import Test, blocked, tests
from grpolint.run import Run
from grpolint.versions import satisfies

__all__ = ["CRASH", "Entry", "Report", "Selection", "applies", "check", "consider", "entries", "find_entry", "load"]

CRASH = "INT001"
"""Id under which a rule that fails itself is reported."""


class Entry(Record):
    """A rule as the index knows it, without importing its module."""

    id: str
    name: str
    module: str
    summary: str
    severity: Severity
    confidence: Confidence
    frameworks: dict[str, str]
    default: bool
    aliases: tuple[str, ...] = ()
    any_program: bool = False
    policy: str = "evidence"
    when: tuple[Test, ...] = ()

    def matches(self, pattern: str) -> bool:
        """Whether an id, name, alias or family prefix names this rule (`GR001`, `group-size-one`, `D07`, `GR`, `ALL`)."""
        return pattern in (self.id, self.name, "ALL", *self.aliases) or (
            pattern.isupper() and len(pattern) < len(self.id) and self.id.startswith(pattern)
        )


class Selection(Record):
    """Which rules of a policy run: those selected (default: all that are on by default) minus those ignored."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    policy: str = "evidence"

    def wants(self, entry: Entry) -> bool:
        """Whether the rule is to run."""
        if entry.policy not in (self.policy, "any") or any(entry.matches(pattern) for pattern in self.ignore):
            return False
        if not self.select:
            return entry.default
        return any(entry.matches(pattern) for pattern in self.select)


class Report(Record, frozen=False):
    """All results of one file, run by run."""

    reading: Reading
    results: list[tuple[Run, Result]] = field(default_factory=list)

    def findings(self) -> Iterator[tuple[Run, Result, Finding]]:
        """Each finding once: the iterations of a loop and the arms of a condition repeat the same one."""
        seen: set[object] = set()
        for run, result in self.results:
            for finding in result.findings:
                place = finding.primary.span if finding.primary is not None else None
                mark = (result.rule, id(place.source), place.start, place.end) if place is not None else (result.rule,)
                if (mark, finding.message) not in seen:
                    seen.add((mark, finding.message))
                    yield run, result, finding


@lru_cache(maxsize=1)
def _rows() -> list[dict[str, Any]]:
    with (Path(__file__).parent / "rules" / "index.json").open("rb") as file:
        found: list[dict[str, Any]] = json.load(file)
    return found


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(
        row["id"],
        row["name"],
        row["module"],
        row["summary"],
        Severity[row["severity"]],
        Confidence[row["confidence"]],
        row["frameworks"],
        row["default"],
        tuple(row["aliases"]),
        row["any_program"],
        row["policy"],
        tests(row["when"]),
    )


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """The index of all rules, by id."""
    return tuple(map(_entry, _rows()))


def find_entry(word: str, policy: str = "evidence") -> Entry | None:
    """The rule of a policy with that id, name or alias; letter case does not matter."""
    wanted = word.lower()
    return next(
        (
            entry
            for entry in entries()
            if entry.policy in (policy, "any")
            and wanted in (entry.id.lower(), entry.name, *(alias.lower() for alias in entry.aliases))
        ),
        None,
    )


def load(entry: Entry) -> Rule:
    """The rule itself; imports its module."""
    module = sys.modules.get(entry.module)
    rule: Rule = (module if module is not None else importlib.import_module(entry.module)).check
    return rule


def applies(frameworks: Mapping[str, str], versions: Mapping[str, str]) -> bool:
    """Whether a run with these releases has one of the frameworks, at a release in its range; none named means every run."""
    if not frameworks:
        return True
    return any(name in versions and satisfies(versions[name], specifier) for name, specifier in frameworks.items())


def check(reading: Reading, selection: Selection | None = None) -> Report:
    """Run every selected rule on every run of a file, and those that need only a launch on launches of any program."""
    report = Report(reading)
    selection = selection or Selection()
    for run in reading.runs:
        releases = frozenset((name, settings.version.text) for name, settings in run.settings.items())
        answers: dict[Test, bool] = {}
        report.results.extend((run, consider(entry, run, answers)) for entry in _chosen(selection, releases))
    # A rule on a launch alone has something to say only where a slip follows it.
    for launch in reading.unrecognised:
        if launch.slips:
            run = Run("", reading.source, launch, launch.span)
            report.results.extend((run, judge(load(entry), run)) for entry in _for_launches(selection))
    return report


@lru_cache(maxsize=256)
def _chosen(selection: Selection, releases: frozenset[tuple[str, str]]) -> tuple[Entry, ...]:
    """The selected rules that apply to a run with these frameworks; the runs of a project have few combinations.

    Most rows of the index concern other frameworks: they do not become entries.
    """
    versions = dict(releases)
    return tuple(
        entry for row in _rows() if applies(row["frameworks"], versions) and selection.wants(entry := _entry(row))
    )


@lru_cache(maxsize=256)
def _for_launches(selection: Selection) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries() if entry.any_program and selection.wants(entry))


def consider(entry: Entry, run: Run, answers: dict[Test, bool] | None = None) -> Result:
    """One rule on one run. Its module is imported only if its guard leaves it something to say.

    `answers` holds what guards have asked for the same run before.
    """
    if entry.when:
        ref = blocked(entry.when, run, answers if answers is not None else {})
        if ref is not None:
            return _passed(entry.id, ref)
    return judge(load(entry), run)


@lru_cache(maxsize=4096)
def _passed(rule: str, ref: str) -> Result:
    """The result of a rule whose guard kept it from saying anything: the same for every run."""
    return Result(rule, Outcome.PASS, decided_by=(ref,))


def judge(rule: Rule, run: Run) -> Result:
    """One rule on one run. A rule that fails itself becomes a finding: it must not end the check of the rest."""
    inquiry = Inquiry(run, usual=rule.severity)
    findings: list[Finding] = []
    missing: tuple[str, ...] = ()
    outcome = None
    reason = ""
    try:
        findings.extend(rule.check(inquiry))
    except Undecided as undecided:
        outcome, missing = Outcome.UNDECIDED, undecided.missing
    except ArithmeticError as error:  # numbers that nothing follows from: a size of 0, one that floats do not hold
        outcome, missing = Outcome.UNDECIDED, (f"{next(reversed(inquiry.asked), rule.id)} ({error})",)
    except NotApplicable as error:
        outcome, reason = Outcome.NOT_APPLICABLE, str(error)
    except Exception as error:  # noqa: BLE001 - whatever a rule does, the others still run
        return Result(CRASH, Outcome.WARN, (_crash(rule, run, error),))
    if run.stranger and list(rule.frameworks) == [run.trainer]:
        sure = [_softer(finding, rule, run.stranger) for finding in findings if not _by_default(finding)]
        if len(sure) < len(findings):
            outcome, missing = Outcome.UNDECIDED, (*missing, f"program:{run.stranger}")
        findings = sure
    if findings and (open_release := _open_release(rule, run)):
        findings, outcome, missing = [], Outcome.UNDECIDED, (*missing, f"version:{open_release}")
    if findings:
        worst = max(finding.severity or rule.severity for finding in findings)
        outcome = Outcome.FAIL if worst is Severity.ERROR else Outcome.WARN
    return Result(rule.id, outcome or Outcome.PASS, tuple(findings), tuple(inquiry.asked), missing, reason)


def _open_release(rule: Rule, run: Run) -> str:
    """The framework whose release is only bounded, if some release within the bounds is not in the rule's range."""
    from grpolint.catalog import versions

    for name, specifier in rule.frameworks.items():
        settings = run.settings.get(name)
        if settings is None or not satisfies(settings.version.text, specifier):
            continue
        bounds = settings.version.range if settings.version.assumed else None
        if bounds is None or not specifier:
            return ""
        possible = [text for text in versions(name) if not bounds or satisfies(text, bounds)]
        if possible and all(satisfies(text, specifier) for text in possible):
            return ""
        return name
    return ""


def _by_default(finding: Finding) -> bool:
    """Whether a default takes part, which a trainer of somebody's own may never read."""
    return any(" by default (" in note for note in finding.notes)


def _owner(rule: Rule) -> str:
    from grpolint.frameworks.registry import frameworks

    name = next(iter(rule.frameworks))
    return next((f"{each.title}'s" for each in frameworks() if each.name == name), f"{name}'s")


def _softer(finding: Finding, rule: Rule, stranger: str) -> Finding:
    """What a framework's own trainer demands, said of another one: no error."""
    note = f"{stranger} is not {_owner(rule)} own trainer: it may read its options in its own way"
    severity = min(finding.severity if finding.severity is not None else rule.severity, Severity.WARNING)
    return replace(finding, severity=severity, notes=(*finding.notes, note))


def _crash(rule: Rule, run: Run, error: Exception) -> Finding:
    import traceback

    text = "".join(traceback.format_exception(error)).rstrip()
    place = Label(run.span) if run.span is not None else None
    message = f"rule {rule.id} failed itself ({type(error).__name__}: {error}); its check is missing here"
    return Finding(message, place, notes=(text,), severity=Severity.WARNING)
