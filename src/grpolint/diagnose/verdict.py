"""What a launch file says of a cause: its rules are run, the facts it needs are looked at, and releases are compared."""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.check import Entry, applies, find_entry, judge, load
from grpolint.evidence import Cause
from grpolint.findings import Outcome
from grpolint.records import Record
from grpolint.rules.api import show
from grpolint.run import Run
from grpolint.values import Default, Known, Unknown, Value
from grpolint.versions import satisfies

__all__ = ["Verdict", "fits", "judge_cause"]

CONFIRMED, DOUBTED, EXCLUDED = 0.7, 0.4, 0.1
"""How a confirmation adds to a score (as evidence of that strength), and what is left of it where something speaks against."""


TRAINERS = frozenset(("verl", "trl", "openrlhf", "slime", "nemo-rl", "ms-swift", "areal", "rllm", "skyrl", "unsloth"))
"""Frameworks of which one leads a run: what concerns only others of them cannot be."""


ENGINES = {
    "deepspeed": ("engine", "deepspeed"),
    "megatron": ("engine", "megatron"),
    "vllm": ("rollout_engine", "vllm"),
    "vllm-ascend": ("rollout_engine", "vllm"),
    "sglang": ("rollout_engine", "sglang"),
}
"""Frameworks that do a part of the work in a run, with the fact that tells which one does."""


class Verdict(Record):
    """Whether the launch file confirms a cause, excludes it or speaks against it, in sentences for each.

    `missing` is what it does not tell. Without a launch file everything is empty.
    """

    confirms: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """confirmed, excluded, unlikely, or an empty text where the launch file decides nothing."""
        if self.excludes:
            return "excluded"
        return "confirmed" if self.confirms else "unlikely" if self.doubts else ""

    def weigh(self, score: float) -> float:
        """The score of the cause in the light of the launch file."""
        if self.excludes:
            return score * EXCLUDED
        if self.confirms:
            return 1 - (1 - score) * (1 - CONFIRMED)
        return score * DOUBTED if self.doubts else score


def judge_cause(cause: Cause, run: Run | None) -> Verdict:
    """What a run says of a cause."""
    if run is None:
        return Verdict()
    excludes, missing = [*_releases(cause, run)], list[str]()
    for name, wanted in cause.needs.items():
        value = run.fact(name)
        if isinstance(value, Unknown):
            missing.append(f"fact {name} ({value.reason})")
        elif value is not None and not any(fits(value.value, each) for each in wanted):
            excludes.append(f"your run has {name}={show(value.value)}{_where(value)}; it needs {' or '.join(wanted)}")
    confirms: list[str] = []
    doubts: list[str] = []
    kinds = {Outcome.FAIL: confirms, Outcome.WARN: confirms, Outcome.PASS: doubts, Outcome.UNDECIDED: missing}
    for word in cause.rules:
        entry = find_entry(word)
        outcome = _outcome(entry, run) if entry is not None else None
        if entry is not None and outcome is not None:
            kinds[outcome[0]].append(f"{entry.id} {entry.name}: {outcome[1]}")
    return Verdict(tuple(confirms), tuple(excludes), () if confirms else tuple(doubts), tuple(missing))


def _outcome(entry: Entry, run: Run) -> tuple[Outcome, str] | None:
    """What a rule of the cause comes to, with what decided it; None where it does not concern the run."""
    versions = {name: settings.version.text for name, settings in run.settings.items()}
    if not applies(entry.frameworks, versions):
        return None
    result = judge(load(entry), run)
    if result.findings:
        return result.outcome, result.findings[0].message
    if result.outcome is Outcome.UNDECIDED:
        return result.outcome, f"not decided without {', '.join(result.missing)}"
    decided = ", ".join(_decided(result.decided_by, run))
    if result.outcome is Outcome.PASS and decided:
        return result.outcome, f"your run has {decided}"
    return None


def _decided(refs: tuple[str, ...], run: Run) -> Iterator[str]:
    """What the rule looked at, as far as it is there."""
    for ref in refs:
        kind, _, name = ref.partition(":")
        if kind == "fact":
            value = run.fact(name)
        elif kind == "env":
            value = run.environment(name)
        else:
            value = run.value(kind, name)
        if isinstance(value, (Known, Default)):
            yield f"{name}={show(value.value)}{_where(value)}"


def _where(value: Value) -> str:
    """The place of a value, or the release whose default it is."""
    if isinstance(value, Default):
        return f" (default of {value.framework} {value.version})"
    span = next((origin.span for origin in value.origins if origin.span is not None), None)
    return f" (line {span.line})" if span is not None else ""


def _releases(cause: Cause, run: Run) -> Iterator[str]:
    """Why the releases of the run exclude the cause: a release that somebody named lies outside of every range."""
    of_trainers = bool(cause.frameworks) and TRAINERS.issuperset((run.trainer, *cause.frameworks))
    if of_trainers and not any(name in run.settings for name in cause.frameworks):
        yield f"your run is one of {run.trainer}; it concerns {' and '.join(cause.frameworks)}"
        return
    engine = _other_engine(cause, run)
    if engine:
        yield engine
        return
    told = []
    for name, specifier in cause.frameworks.items():
        settings = run.settings.get(name)
        if settings is not None and not settings.version.assumed:
            release: str | None = settings.version.text
        else:
            release = run.releases.get(name)
        if release is None or not specifier or satisfies(release, specifier):
            return
        told.append(f"your run has {name} {release}; it concerns {name} {specifier}")
    yield from told


def _other_engine(cause: Cause, run: Run) -> str:
    """Why no engine that the cause concerns takes part; empty where one does or may."""
    told = []
    for name in cause.frameworks:
        fact, wanted = ENGINES.get(name, ("", ""))
        value = run.fact(fact) if fact and name not in run.settings else None
        if not isinstance(value, (Known, Default)) or value.value == wanted:
            return ""
        told.append(f"your run has {fact}={show(value.value)}{_where(value)}; it concerns {name}")
    return told[0] if told else ""


def fits(value: object, wanted: str) -> bool:
    """Whether a fact's value is what a cause needs: `true`, `muon`, `1`, or a bound such as `>1` or `<16`."""
    if wanted[:1] in "<>" and isinstance(value, (int, float)) and not isinstance(value, bool):
        limit = float(wanted.lstrip("<>="))
        if wanted[1:2] == "=" and value == limit:
            return True
        return value > limit if wanted[0] == ">" else value < limit
    return show(value).lower() == wanted.lower()
