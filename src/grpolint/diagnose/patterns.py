"""Log signatures: each is a regular expression that is tried only on lines that hold a literal part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from grpolint.diagnose.logs import Chunk, bare
from grpolint.evidence import Symptom
from grpolint.records import Record

__all__ = ["ENOUGH", "Hit", "Scanner", "literals"]

ENOUGH = 1000
"""Lines with one symptom after which it is looked for no further: more of them say nothing new."""

_BEFORE, _AFTER = 1000, 3000
"""Bytes around a literal on which its expression is tried: the length of a line must not decide the time it takes."""


class Hit(Record, frozen=False):
    """A symptom in a log: its first line as text, the numbers of its first lines, and how many there are."""

    symptom: Symptom
    text: str
    lines: list[int]
    count: int = 1


class _Probe:
    __slots__ = ("hit", "literals", "regex", "symptom")

    def __init__(self, symptom: Symptom) -> None:
        self.symptom = symptom
        self.regex = re.compile(symptom.pattern)
        self.literals = tuple(each.encode() for each in literals(symptom.pattern))
        self.hit: Hit | None = None


class Scanner:
    """Looks for the signatures of all symptoms in the chunks of one log."""

    def __init__(self, symptoms: Iterable[Symptom]) -> None:
        self._probes = [_Probe(each) for each in symptoms if each.pattern]

    def feed(self, chunk: Chunk) -> None:
        """Search one chunk. Takes time in proportion to its length, whatever it holds."""
        for probe in self._probes:
            if probe.hit is None or probe.hit.count < ENOUGH:
                for literal in probe.literals:
                    self._search(probe, literal, chunk)

    def _search(self, probe: _Probe, literal: bytes, chunk: Chunk) -> None:
        data = chunk.data
        counted, line, at = 0, chunk.line, 0
        while (at := data.find(literal, at)) >= 0:
            start = data.rfind(b"\n", max(0, at - _BEFORE), at) + 1 or max(0, at - _BEFORE)
            end = data.find(b"\n", at, at + _AFTER)
            whole = end >= 0 or at + _AFTER >= len(data)
            end = end if end >= 0 else min(at + _AFTER, len(data))
            text = bare(data[start:end].decode("utf-8", "replace"))
            if probe.regex.search(text) is not None:
                line += data.count(b"\n", counted, at)
                counted = at
                self._record(probe, text, line)
                if probe.hit is not None and probe.hit.count >= ENOUGH:
                    return
                whole_end = data.find(b"\n", end)
                at = whole_end if whole_end >= 0 else len(data)
            else:
                at = end if whole else at + _AFTER - _BEFORE

    @staticmethod
    def _record(probe: _Probe, text: str, line: int) -> None:
        hit = probe.hit
        if hit is None:
            probe.hit = Hit(probe.symptom, text, [line])
        elif line not in hit.lines:
            hit.count += 1
            if len(hit.lines) < ENOUGH:
                hit.lines.append(line)

    def hits(self) -> list[Hit]:
        """What was found, by first line. A symptom that must stand near another counts only where it does."""
        found = {probe.symptom.id: probe.hit for probe in self._probes if probe.hit is not None}
        kept = []
        for hit in found.values():
            near = hit.symptom.near
            if near:
                others = found[near].lines if near in found else []
                hit.lines = [line for line in hit.lines if any(abs(line - other) <= _NEAR for other in others)]
            if hit.lines:
                kept.append(hit)
        return sorted(kept, key=lambda hit: (min(hit.lines), hit.symptom.id))


_NEAR = 80
"""Lines between a frame of a traceback and the error it ends in."""


def literals(pattern: str) -> tuple[str, ...]:
    """For each alternative of a pattern the longest text that every match of it holds; empty where there is none."""
    return tuple(max(_runs(branch), key=len, default="") for branch in _branches(pattern))


def _branches(pattern: str) -> list[str]:
    """The alternatives of the whole pattern, without those inside groups."""
    found, depth, start, at = [], 0, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _class_end(pattern, at)
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and not depth:
            found.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*found, pattern[start:]]


def _runs(branch: str) -> list[str]:
    """Every text outside of groups that a match of the branch must hold."""
    runs, run, at, depth = [], "", 0, 0
    while at < len(branch):
        char = branch[at]
        literal = ""
        if char == "\\":
            at += 1
            literal = branch[at] if not branch[at].isalnum() else ""
        elif char == "[":
            at = _class_end(branch, at)
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char in "*?{":
            run = run[:-1]
            at = branch.find("}", at) if char == "{" else at
        elif char not in ".^$+":
            literal = char
        if literal and not depth:
            run += literal
        else:
            runs.append(run)
            run = ""
        at += 1
    return [*runs, run]


def _class_end(pattern: str, at: int) -> int:
    """The place of the bracket that closes a character class."""
    at += 2 if pattern[at + 1 : at + 2] == "^" else 1
    at += 1 if pattern[at : at + 1] == "]" else 0
    while pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at
