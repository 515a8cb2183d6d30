"""A diagnosis: what was seen, and the causes that explain it, ranked.

Each symptom shares out its belief among the causes that are known for it, the remainder standing for others. Independent
pieces of evidence for one cause are combined as MYCIN combines measures of belief: a + b - a*b (Shortliffe and Buchanan,
A model of inexact reasoning in medicine, 1975), which is the noisy-or of Pearl (1988) without leak. A symptom counts
once, however many lines show it. The shares are judgements, so that a score ranks; it is no probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grpolint.diagnose.logs import Log, LogError
from grpolint.diagnose.metrics import Metrics
from grpolint.diagnose.patterns import Scanner
from grpolint.diagnose.signals import found
from grpolint.diagnose.verdict import Verdict, judge_cause
from grpolint.diagnose.words import Unmatched, understand
from grpolint.documents.source import Source
from grpolint.evidence import Cause, Symptom, causes, symptoms
from grpolint.records import Record
from grpolint.run import Run

__all__ = ["Diagnosis", "Ranked", "Seen", "diagnose"]

SURE = 0.99
"""The highest score: nothing that a log shows is certain."""


class Seen(Record):
    """A symptom and what shows it: a line of a log with its number, numbers of a metric, or somebody's words.

    `path` is the log, empty for words; `count` is the number of lines that show it.
    """

    symptom: Symptom
    text: str
    path: str = ""
    line: int = 0
    count: int = 1
    quality: float = 1.0


class Ranked(Record):
    """A cause, how strongly the symptoms speak for it (0 to 1), those symptoms, and what the launch file says of it."""

    cause: Cause
    score: float
    seen: tuple[Seen, ...]
    verdict: Verdict = Verdict()

    def __iter__(self) -> Iterator[Any]:
        """Cause, score, seen."""
        return iter((self.cause, self.score, self.seen))


class Diagnosis(Record):
    """`ranked` causes, best first; what was `seen`; words that were not understood; notes on what was not read.

    `outside` counts the causes that the topic left out.
    """

    ranked: tuple[Ranked, ...] = ()
    seen: tuple[Seen, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    notes: tuple[str, ...] = ()
    outside: int = 0


def diagnose(
    words: str | None,
    logs: Sequence[Source | Log],
    topic: str | None = None,
    run: Run | None = None,
) -> Diagnosis:
    """Rank the causes of what `words` say and `logs` show.

    With a `topic` only causes of that topic are ranked; with a `run` its settings confirm or exclude causes. A log that
    cannot be read becomes a note.
    """
    seen: list[Seen] = []
    missed: list[Unmatched] = []
    notes: list[str] = []
    if words:
        said, missed = understand(words, symptoms())
        seen.extend(Seen(each.symptom, each.text, quality=each.quality) for each in said)
    for given in logs:
        log = given if isinstance(given, Log) else Log.of(given)
        try:
            seen.extend(_read(log))
        except LogError as error:
            notes.append(str(error))
        notes.extend(log.notes)
    ranked = rank(seen, run)
    kept = [each for each in ranked if topic is None or topic in each.cause.topics]
    return Diagnosis(tuple(kept), tuple(seen), tuple(missed), tuple(notes), len(ranked) - len(kept))


def _read(log: Log) -> list[Seen]:
    """The symptoms that a log shows, by line."""
    scanner, metrics = Scanner(symptoms()), Metrics()
    for chunk in log.chunks():
        scanner.feed(chunk)
        metrics.feed(chunk)
    by_id = {symptom.id: symptom for symptom in symptoms()}
    seen = [Seen(hit.symptom, hit.text, log.path, min(hit.lines), hit.count) for hit in scanner.hits()]
    seen.extend(Seen(by_id[each.symptom], each.text, log.path, each.line) for each in found(metrics.series))
    return sorted(seen, key=lambda each: (each.line, each.symptom.id))


def rank(seen: Sequence[Seen], run: Run | None = None) -> list[Ranked]:
    """The causes of some symptoms, best first; equal scores keep the order of the causes' names."""
    by_id = {cause.id: cause for cause in causes()}
    for_cause: dict[str, list[Seen]] = {}
    for each in seen:
        for name in each.symptom.causes:
            for_cause.setdefault(name, []).append(each)
    ranked = []
    for name, parts in for_cause.items():
        cause = by_id[name]
        best: dict[str, float] = {}
        for part in parts:
            share = part.symptom.causes[name] * part.quality
            best[part.symptom.id] = max(share, best.get(part.symptom.id, 0.0))
        doubt = 1.0
        for share in best.values():
            doubt *= 1 - share
        verdict = judge_cause(cause, run)
        ranked.append(Ranked(cause, min(verdict.weigh(1 - doubt), SURE), tuple(parts), verdict))
    return sorted(ranked, key=lambda each: (-round(each.score, 6), each.cause.id))
