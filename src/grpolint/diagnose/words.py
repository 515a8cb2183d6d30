"""Symptoms in words: `nan_loss,expert_0_samples` by name, or as people say it: `loss plateaus, grad norm 1e9`.

A clause is compared with the phrases of every symptom as a set of stems: order, plural, tense and common synonyms do not
matter, negation does. A number next to the name of a metric is weighed by `signals.ALARMS`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from grpolint.diagnose.metrics import SAID
from grpolint.diagnose.signals import ALARMS
from grpolint.diagnose.stems import stems
from grpolint.evidence import Symptom
from grpolint.records import Record
from grpolint.regex import regex

__all__ = ["Said", "Unmatched", "clauses", "understand"]


class Said(Record):
    """A symptom that somebody's words mean, the words, and how well they fit (0 to 1)."""

    symptom: Symptom
    text: str
    quality: float


class Unmatched(Record):
    """Words that no symptom explains, with the name of the nearest symptom where one is near."""

    text: str
    near: str = ""


_CLAUSES = regex(r"[;\n]|,(?!\d{3}(?!\d))|(?<![\w])(?:and then|but|while|then)(?![\w])|\.\s|\s\+\s|[!?]")
_QUANTITY = regex(
    r"(?:\s|:|=|~|>|<|\bis\b|\bof\b|\bat\b|\breaches\b|\babout\b|\baround\b|\bup to\b|\bgoes to\b|\bhits\b|\bover\b|\babove\b"
    r"|\bbelow\b|\bequals\b|\bvalue\b|\bwas\b|\bstays\b|\bremains\b|\bbecomes\b|\bturns\b|\balways\b|\bconstantly\b){0,6}"
    r"([-+]?(?:\d[\d,]{0,30}(?:\.\d{0,20})?(?:\s?[x*]?\s?10\^|e)?[-+]?\d{0,3}|\.\d{1,20})|nan|inf(?:inity)?)(\s?%)?(?![\w])"
)

_MEANS_ALL = 0.75
"""Share of a phrase's weight that a clause must hold to mean it."""


def clauses(text: str) -> list[str]:
    """The parts of a text that are looked up one by one."""
    return [part for each in _CLAUSES.split(text[:20_000]) if each and (part := each.strip(" \t'\"`."))]


def understand(text: str, symptoms: Iterable[Symptom]) -> tuple[list[Said], list[Unmatched]]:
    """What a text means: symptoms, the best first within each clause, and the clauses that mean none."""
    known = tuple(symptoms)
    said: list[Said] = []
    missed: list[Unmatched] = []
    for clause in clauses(text):
        found = list(_clause(clause, known))
        said.extend(each for each in found if all(each.symptom.id != other.symptom.id for other in said))
        if not found:
            missed.append(Unmatched(clause, _nearest(clause, known)))
    return said, missed


def _clause(clause: str, known: tuple[Symptom, ...]) -> Iterator[Said]:
    name = clause.lower().replace("-", "_").replace(" ", "_")
    for symptom in known:
        if name in (symptom.id, *(phrase.replace(" ", "_") for phrase in symptom.words)):
            yield Said(symptom, clause, 1.0)
            return
    rest = clause.lower()
    numbered = list(_numbered(rest, known))
    for said, start, end in numbered:
        yield Said(said, clause, 1.0)
        rest = rest[:start] + " " * (end - start) + rest[end:]
    left = set(stems(rest))
    found = [each.symptom.id if isinstance(each, Said) else each.id for each, *_ in numbered]
    while left:
        best = max(_matches(left, known, found), key=lambda each: (each[0], each[1]), default=None)
        if best is None:
            return
        quality, _, symptom, used = best
        found.append(symptom.id)
        yield Said(symptom, clause, quality)
        left -= used


def _matches(
    left: set[str], known: tuple[Symptom, ...], found: list[str]
) -> Iterator[tuple[float, float, Symptom, frozenset[str]]]:
    """The symptoms that the stems mean: quality, weight of what fits, symptom, stems that took part."""
    weights = _weights(known)
    for symptom in known:
        if symptom.id in found:
            continue
        for phrase in symptom.words:
            wanted = frozenset(stems(phrase))
            common = wanted & left
            if not common or ("not" in wanted) != ("not" in left):
                continue
            whole = sum(weights.get(stem, 1.0) for stem in wanted)
            got = sum(weights.get(stem, 1.0) for stem in common)
            if got >= _MEANS_ALL * whole and (len(common) > 1 or len(wanted) == 1):
                yield got / whole, got, symptom, common


@lru_cache(maxsize=4)
def _weights(known: tuple[Symptom, ...]) -> dict[str, float]:
    """How much a stem tells: the rarer among the symptoms the more."""
    holds: dict[str, set[str]] = {}
    for symptom in known:
        for phrase in symptom.words:
            for stem in stems(phrase):
                holds.setdefault(stem, set()).add(symptom.id)
    return {stem: math.log(1 + len(known) / len(ids)) for stem, ids in holds.items()}


def _numbered(clause: str, known: tuple[Symptom, ...]) -> Iterator[tuple[Symptom, int, int]]:
    """The symptoms that a metric with a number shows: `grad norm 1e9`, `loss is nan`; with the place of both."""
    by_id = {symptom.id: symptom for symptom in known}
    spaced = clause.replace("_", " ")
    for metric, names in SAID.items():
        for name in sorted(names, key=len, reverse=True):
            at = spaced.find(name.replace("_", " "))
            if at < 0 or (at and spaced[at - 1].isalnum()) or _part_of_longer(spaced, at, name, metric):
                continue
            after = at + len(name)
            number = _QUANTITY.match(spaced, after)
            value = _value(number.group(1), number.group(2)) if number is not None else None
            if number is None or value is None:
                continue
            alarm = next((symptom for symptom, test in ALARMS[metric] if test(value) and symptom in by_id), None)
            if alarm is not None:
                yield by_id[alarm], at, number.end()
            break


def _part_of_longer(text: str, at: int, name: str, metric: str) -> bool:
    """Whether the name stands there as part of a longer one of another metric (`loss` in `loss scale`)."""
    end = at + len(name)
    for other, names in SAID.items():
        if other == metric:
            continue
        for longer in names:
            longer = longer.replace("_", " ")
            place = text.find(longer)
            if len(longer) > len(name) and place >= 0 and place <= at and place + len(longer) >= end:
                return True
    return False


def _value(text: str, percent: str | None) -> float | None:
    """The number that a text such as `1e9`, `10^9`, `1,000,000` or `50 %` means."""
    text = text.replace(",", "").replace(" ", "")
    base, power, exponent = text.partition("10^")
    try:
        if power:
            base = base.rstrip("x*") or "1"
            value = float(base) * 10.0 ** int(exponent)
        else:
            value = float(text)
    except (ValueError, OverflowError):
        return None
    return value / 100 if percent else value


def _nearest(clause: str, known: tuple[Symptom, ...]) -> str:
    """The name of the symptom nearest to some words; empty where none is near."""
    import difflib

    by_text = {symptom.id.replace("_", " "): symptom.id for symptom in known}
    by_text.update({phrase: symptom.id for symptom in known for phrase in symptom.words})
    near = difflib.get_close_matches(clause.lower().replace("_", " ")[:200], by_text, n=1, cutoff=0.55)
    if near:
        return by_text[near[0]]
    left = set(stems(clause))
    weights = _weights(known)
    best, most = "", 2.0
    for symptom in known:
        for phrase in symptom.words:
            got = sum(weights.get(stem, 0.0) for stem in left.intersection(stems(phrase)))
            if got > most:
                best, most = symptom.id, got
    return best
