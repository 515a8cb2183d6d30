"""The outcome of each of the handbook's 36 rules for what was read from a file, under either policy.

Under the policy `handbook` each rule judges as the handbook states it. Under `evidence` a rule of the handbook has the outcome of
grpolint's rules that carry its true part; where none does, it is not applicable, and the reason says what was found out about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from grpolint.check import Entry, applies, consider, entries
from grpolint.documents.source import Span
from grpolint.evidence import Stated, stated
from grpolint.findings import Outcome, Result
from grpolint.reader import Reading
from grpolint.records import Record
from grpolint.rules.api import Inquiry, show
from grpolint.run import Run
from grpolint.values import VARIABLES, Default, Origin, Unknown, Value

__all__ = ["CLAIMED", "Decider", "Judgement", "judge", "judge_run", "reckoning", "summary"]

CLAIMED = {Outcome.PASS: 32, Outcome.FAIL: 0, Outcome.WARN: 2}
"""What the handbook says of its own configuration."""

_ORDER = (Outcome.NOT_APPLICABLE, Outcome.PASS, Outcome.UNDECIDED, Outcome.WARN, Outcome.FAIL)
"""From the least to the most that a reader should look at."""

_DECLARED = ("profile", "--fact", "--set", "--gpu", "--nodes", "--gpus-per-node", "--env")
"""Origins of what no document tells."""


class Decider(Record):
    """One value that decided an outcome.

    `ref` is what the rule asked for (`fact:zero_stage`). `kind` is key (a document sets it, under the name `name`, at `span`),
    declared (by a profile or on the command line), default (a release's, which `source` names) or built-in (what the
    program that runs cannot do otherwise). `value` is the value as configuration files write it.
    """

    ref: str
    kind: str
    name: str
    value: str
    source: str = ""
    span: Span | None = None

    def __str__(self) -> str:
        told = {"declared": "declared: ", "default": "default: ", "built-in": "built in: "}.get(self.kind, "")
        return f"{told}{self.name} {self.value}"


class Judgement(Record):
    """The outcome of one rule of the handbook for one file.

    `rules` are the ids of grpolint's rules that came to it: its own id under the policy handbook. `missing` are the values that
    kept it undecided (`fact:dp (nothing says it)`); `reason` says why it is not applicable; `message` is one sentence on
    the outcome, whichever it is.
    """

    id: str
    stated: Stated
    outcome: Outcome
    rules: tuple[str, ...] = ()
    decided_by: tuple[Decider, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""


def judge(reading: Reading, policy: str = "handbook") -> tuple[Judgement, ...]:
    """One judgement for each of D01 to N17, in that order: of several runs in a file the worst. Empty without a run.

    What the user supplies, a profile among it, is given when the file is read.
    """
    found = [judge_run(run, policy) for run in reading.runs]
    return tuple(max(same, key=lambda each: _ORDER.index(each.outcome)) for same in zip(*found))


def judge_run(run: Run, policy: str = "handbook") -> tuple[Judgement, ...]:
    """`judge` for one run."""
    judged = _as_stated if policy == "handbook" else _as_known
    return tuple(judged(record, run) for record in stated())


def _as_stated(record: Stated, run: Run) -> Judgement:
    entry = next(each for each in entries() if each.id == record.id)
    return _judgement(record, run, [consider(entry, run)])


def _as_known(record: Stated, run: Run) -> Judgement:
    carrying = [each for each in entries() if each.policy == "evidence" and record.id in each.aliases and each.default]
    versions = {name: settings.version.text for name, settings in run.settings.items()}
    fitting = [each for each in carrying if applies(each.frameworks, versions)]
    if fitting:
        return _judgement(record, run, [consider(each, run) for each in fitting])
    reason = _unfit(record, carrying)
    names = tuple(each.id for each in carrying)
    return Judgement(record.id, record, Outcome.NOT_APPLICABLE, names, reason=reason, message=reason)


def _unfit(record: Stated, carrying: list[Entry]) -> str:
    """What is known of a rule of the handbook that nothing judges here, and which rules do so elsewhere."""
    grade = {
        "contradicted": "contradicted by what is known",
        "opinion": "an opinion",
        "unverified": "not verified",
        "partly": "partly true",
    }.get(record.grade, record.grade)
    ranges = {f"{name} {text}".strip() for entry in carrying for name, text in entry.frameworks.items()}
    judged = f"{', '.join(each.id for each in carrying)} for {', '.join(sorted(ranges))}, not part of this run"
    return f"{grade} ({judged if carrying else 'no rule carries it'}): {record.corrected}"


def _judgement(record: Stated, run: Run, results: list[Result]) -> Judgement:
    results = [_decided(result, run) for result in results]
    worst = max(results, key=lambda result: _ORDER.index(result.outcome)).outcome
    deciding = [result for result in results if result.outcome is worst]
    refs = dict.fromkeys(ref for result in deciding for ref in result.decided_by)
    deciders = tuple(sorted(filter(None, (_decider(ref, run) for ref in refs)), key=lambda each: each.kind != "key"))
    missing = tuple(dict.fromkeys(text for result in deciding for text in result.missing))
    reason = "; ".join(dict.fromkeys(result.reason for result in deciding if result.reason))
    told = dict.fromkeys(finding.message for result in deciding for finding in result.findings)
    message = {
        Outcome.PASS: "by " + ", ".join(dict.fromkeys(map(str, deciders))),
        Outcome.UNDECIDED: "needs " + ", ".join(_plain(text) for text in missing),
        Outcome.NOT_APPLICABLE: reason,
    }.get(worst, "; ".join(told))
    names = tuple(result.rule for result in deciding)
    return Judgement(record.id, record, worst, names, deciders, missing, reason, message)


def _decided(result: Result, run: Run) -> Result:
    """A pass that no known value decides is none: the rule found nothing of what it looks for."""
    if result.outcome is Outcome.NOT_APPLICABLE:
        return Result(result.rule, result.outcome, reason=result.reason or "it does not concern this run")
    if result.outcome is not Outcome.PASS or any(_decider(ref, run) is not None for ref in result.decided_by):
        return result
    return Result(result.rule, Outcome.NOT_APPLICABLE, reason="nothing in the file concerns it")


def _plain(missing: str) -> str:
    ref, _, reason = missing.partition(" (")
    name = ref.partition(":")[2] if ref.startswith(("fact:", "handbook:")) else ref
    return f"{name} ({reason}" if reason else name


def _decider(ref: str, run: Run) -> Decider | None:
    """The value behind a reference as a decider; None where it is absent, null or unknown."""
    value: Value | None = Inquiry(run).ask(ref)
    if value is None or isinstance(value, Unknown) or value.value is None:
        return None
    name, shown = ref.partition(":")[2], show(value.value)
    if isinstance(value, Default):
        return Decider(ref, "default", name, shown, f"{value.framework} {value.version}")
    written = [origin for origin in value.origins if origin.span is not None and origin.what not in VARIABLES]
    if written:
        return _written(ref, written[0], run, name, shown)
    for origin in value.origins:
        if origin.what in _DECLARED:
            return Decider(ref, "declared", name, shown, " ".join(filter(None, (origin.what, origin.detail))))
        if origin.what == "default":
            return Decider(ref, "default", name, shown, origin.detail)
    details = [origin.detail for origin in value.origins if origin.detail]
    return Decider(ref, "built-in", name, shown, details[0] if details else run.trainer)


def _written(ref: str, origin: Origin, run: Run, name: str, shown: str) -> Decider:
    """The setting that stands where a value comes from, under its own name and with its own value."""
    for settings in run.settings.values():
        for setting in settings:
            if setting.span == origin.span and not isinstance(setting.value, Unknown):
                return Decider(ref, "key", setting.key, show(setting.value.value), span=origin.span)
    return Decider(ref, "key", name, shown, span=origin.span)


def summary(judgements: Iterable[Judgement]) -> str:
    """How many rules came to each outcome: `30 pass, 0 fail, 2 warn, 3 undecided, 1 not applicable: 36 rules`."""
    counts = Counter(each.outcome for each in judgements)
    order = (Outcome.PASS, Outcome.FAIL, Outcome.WARN, Outcome.UNDECIDED, Outcome.NOT_APPLICABLE)
    told = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in order)
    return f"{told}: {counts.total()} rules"


def reckoning(judgements: Iterable[Judgement]) -> str:
    """Why the handbook counts 32 passes of 34 for its configuration, beside what these judgements under its own policy come to."""
    found = tuple(judgements)
    ids = {outcome: [each.id for each in found if each.outcome is outcome] for outcome in Outcome}
    open_ = [*ids[Outcome.UNDECIDED], *ids[Outcome.NOT_APPLICABLE]]
    claim = ", ".join(f"{count} {outcome.value}" for outcome, count in CLAIMED.items())
    passed, warned = len(ids[Outcome.PASS]), ids[Outcome.WARN]
    lines = [
        f"The handbook says of its configuration: {claim}, of {sum(CLAIMED.values())} rules.",
        "These are an earlier list of 17 to do and 17 not to do; the handbook's own tables have 19 and 17, which is 36.",
        f"Of the 36, {passed} pass here, each by a key or a declared fact, and {len(warned)} warn{_listed(warned)}.",
    ]
    if open_:
        lines.append(
            f"{len(open_)} are decided by no key and by nothing that is declared{_listed(open_)}: they do not count as passes."
        )
    if ids[Outcome.FAIL]:
        lines.append(f"{len(ids[Outcome.FAIL])} fail{_listed(ids[Outcome.FAIL])}.")
    return "\n".join(lines)


def _listed(ids: list[str]) -> str:
    return f" ({', '.join(ids)})" if ids else ""
