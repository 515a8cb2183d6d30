"""Symptoms in words: `nan_loss,expert_0_samples` by name, or as people say it: `loss plateaus, grad norm 1e9`.

A clause is compared with the phrases of every symptom as a set of stems: order, plural, tense and common synonyms do not
matter, negation does. A number next to the name of a metric is weighed by `signals.ALARMS`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

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
    """Words that no symptom explains: the name of the nearest symptom where one is near, or why nothing is to explain."""

    text: str
    near: str = ""
    why: str = ""


_MARKS = regex(r"!{3,}")
_CLAUSES = regex(r"[;\n]|,(?!\d{3}(?!\d))|\.\s|\s\+\s|[!?]")
_BRIDGE = (
    "is was of at to up down went goes go rises rose rising falls fell falling jumps jumped reached reaches reaching about "
    "around over above below equals stays stayed remains remained becomes became turns turned always constantly blew blows "
    "hits hit drops dropped stuck only just exactly nearly almost a value grows grew exploded explodes collapsed collapses "
    "spikes spiked like even near"
)
_QUANTITY = regex(
    rf"[\s:=~<>]{{0,4}}(?:(?:{'|'.join(_BRIDGE.split())})[\s:=~<>]{{1,3}}){{0,5}}"
    r"([-+]?(?:(?:\d{1,9}(?:\.\d{0,20})?\s?[x*]\s?)?10\^[-+]?\d{1,3}|\d[\d,]{0,30}(?:\.\d{0,20})?(?:e[-+]?\d{1,3})?|\.\d{1,20}"
    r"|nan|inf(?:inity)?))(\s?%)?(?![\w.^])"
)
"""A number behind the name of a metric, with the few words that may stand between."""

_MEANS_ALL = 0.75
"""Share of a phrase's weight that a clause must hold to mean it."""

_NEARBY = 2.0
"""Weight that a clause must have in common with a phrase for it to be suggested."""


def clauses(text: str) -> list[str]:
    """The parts of a text that are looked up one by one."""
    text = _MARKS.sub(" exclamation marks ", text[:20_000])
    return [part for each in _CLAUSES.split(text) if each and (part := each.strip(" \t'\"`."))]


class _Vocabulary:
    """The phrases of all symptoms as stems, and how much a stem tells: the rarer among the symptoms the more."""

    def __init__(self, symptoms: tuple[Symptom, ...]) -> None:
        self.symptoms = symptoms
        self.by_id = {symptom.id: symptom for symptom in symptoms}
        self.names = {phrase.replace(" ", "_"): symptom for symptom in symptoms for phrase in symptom.words}
        self.names.update(self.by_id)
        self.phrases = [(frozenset(stems(phrase)), symptom) for symptom in symptoms for phrase in symptom.words]
        holders: dict[str, set[str]] = {}
        for phrase, symptom in self.phrases:
            for stem in phrase:
                holders.setdefault(stem, set()).add(symptom.id)
        self.weights = {stem: math.log(1 + len(symptoms) / len(ids)) for stem, ids in holders.items()}

    def weight(self, of: Iterable[str]) -> float:
        """How much some stems tell together."""
        return sum(self.weights.get(stem, 1.0) for stem in of)


_KNOWN: list[_Vocabulary] = []
"""The last vocabulary: everybody asks with the same symptoms."""


def _vocabulary(symptoms: Iterable[Symptom]) -> _Vocabulary:
    listed = tuple(symptoms)
    if not _KNOWN or _KNOWN[0].symptoms != listed:
        _KNOWN[:] = [_Vocabulary(listed)]
    return _KNOWN[0]


def understand(text: str, symptoms: Iterable[Symptom]) -> tuple[list[Said], list[Unmatched]]:
    """What a text means: symptoms, the best first within each clause, and the clauses that mean none."""
    known = _vocabulary(symptoms)
    said: list[Said] = []
    missed: list[Unmatched] = []
    for clause in clauses(text):
        found = list(_clause(clause, known))
        said.extend(each for each in found if all(each.symptom.id != other.symptom.id for other in said))
        if not found:
            why = _usual(clause.lower()) or _denied(clause, known)
            missed.append(Unmatched(clause, "" if why else _nearest(clause, known), why))
    return said, missed


def _clause(clause: str, known: _Vocabulary) -> Iterator[Said]:
    named = known.names.get(clause.lower().replace("-", "_").replace(" ", "_"))
    if named is not None:
        yield Said(named, clause, 1.0)
        return
    rest = clause.lower()
    found = set()
    told = set()
    for metric, start, end, value in list(_quantities(rest)):
        alarm = next((symptom for symptom, test in ALARMS[metric] if test(value) and symptom in known.by_id), None)
        if alarm is not None:
            found.add(alarm)
            told.update({"nan"}.intersection(stems(rest[start:end])))
            yield Said(known.by_id[alarm], clause, 1.0)
        rest = rest[:start] + " " * (end - start) + rest[end:]
    left = set(stems(rest))
    while left:  # what a number told may help to mean more (`nan` at the first step), but means nothing alone
        best = max(_matches(left | told, known, found, told), key=lambda each: each[:2], default=None)
        if best is None:
            return
        quality, _, symptom, used = best
        found.add(symptom.id)
        yield Said(symptom, clause, quality)
        left -= used


def _matches(
    left: set[str], known: _Vocabulary, found: set[str], told: set[str]
) -> Iterator[tuple[float, float, Symptom, frozenset[str]]]:
    """The symptoms that the stems mean: quality, weight of what fits, symptom, stems that took part."""
    for phrase, symptom in known.phrases:
        common = phrase & left
        if common <= told or symptom.id in found or ("not" in phrase) != ("not" in left):
            continue
        whole, got = known.weight(phrase), known.weight(common)
        if got >= _MEANS_ALL * whole and (len(common) > 1 or len(phrase) == 1):
            yield got / whole, got, symptom, common


def _usual(clause: str) -> str:
    """Why a clause with a number means nothing: the number is none to worry about."""
    for metric, start, end, _ in _quantities(clause):
        return f"{clause[start:end].strip()!r} is nothing unusual for {metric}"
    return ""


def _denied(clause: str, known: _Vocabulary) -> str:
    """Why a clause that says what is not there means nothing."""
    left = set(stems(clause))
    denied = "not" in left and any(True for _ in _matches(left - {"not"}, known, set(), set()))
    return "it says what is not seen, and only what is seen is looked up" if denied else ""


def _quantities(clause: str) -> Iterator[tuple[str, int, int, float]]:
    """Every metric that is named with a number: the metric, the place of both, the number."""
    spaced = clause.replace("_", " ")
    for metric, names in SAID.items():
        for name in sorted(names, key=len, reverse=True):
            at = spaced.find(name.replace("_", " "))
            if at < 0 or (at and spaced[at - 1].isalnum()) or _part_of_longer(spaced, at, name, metric):
                continue
            number = _QUANTITY.match(spaced, at + len(name))
            value = _value(number.group(1), number.group(2)) if number is not None else None
            if number is not None and value is not None:
                yield metric, at, number.end(), value
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


def _nearest(clause: str, known: _Vocabulary) -> str:
    """The name of the symptom nearest to some words; empty where none is near."""
    import difflib

    near = difflib.get_close_matches(clause.lower().replace(" ", "_")[:200], known.names, n=1, cutoff=0.6)
    if near:
        return known.names[near[0]].id
    left = set(stems(clause))
    best = max(((known.weight(phrase & left), symptom.id) for phrase, symptom in known.phrases), default=(0.0, ""))
    return best[1] if best[0] > _NEARBY else ""
