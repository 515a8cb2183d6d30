"""A diagnosis as text and as data: causes by rank, the evidence for each, what to check and what to do."""

from __future__ import annotations

from typing import Any

from grpolint.diagnose import Diagnosis, Ranked, Seen
from grpolint.evidence import Symptom, thread
from grpolint.report.terminal import Paint, visible

__all__ = ["SHOWN", "data", "text"]

SHOWN = 8
"""Causes that are printed in full; the others follow in one line each."""

_WIDE = 160
"""Columns of a log line that are repeated."""

_PLACES = 4
"""Symptoms that are shown for one cause."""


def text(diagnosis: Diagnosis, paint: Paint, shown: int = SHOWN) -> str:
    """The report, without a line end."""
    lines = [f"{paint('note:', 'bold')} {visible(note)}" for note in diagnosis.notes]
    for missed in diagnosis.unmatched:
        near = f"; did you mean {missed.near!r}?" if missed.near else f"; {visible(missed.why)}" if missed.why else ""
        lines.append(f"{paint('not understood:', 'warning')} {visible(missed.text)}{near}")
    if lines:
        lines.append("")
    if not diagnosis.ranked:
        return "\n".join([*lines, *_nothing(diagnosis)])
    for rank, ranked in enumerate(diagnosis.ranked[:shown], 1):
        lines += [*_cause(rank, ranked, paint), ""]
    rest = diagnosis.ranked[shown:]
    if rest:
        lines.append(f"{len(rest)} weaker {'cause' if len(rest) == 1 else 'causes'}:")
        lines += [f"  {ranked.score:.2f}  {ranked.cause.title}{_word(ranked, paint)}" for ranked in rest]
        lines.append("")
    if diagnosis.outside:
        lines += [f"{_causes(diagnosis.outside)} outside of this topic; `grpolint diagnose` shows them", ""]
    lines.append(
        paint("A score ranks; it is no probability. What was seen may have a cause that is not listed.", "dim")
    )
    return "\n".join(lines)


def _nothing(diagnosis: Diagnosis) -> list[str]:
    if diagnosis.outside:
        return [f"{_causes(diagnosis.outside)} outside of this topic; `grpolint diagnose` shows them"]
    return [
        "nothing fits what is known",
        "give the log from its start with the whole traceback, the step metrics of the trainer, or --symptoms with what you see,",
        "such as 'nan from step 1', 'grad norm 1e9', 'reward flat'; --run FILE lets the launch file decide between causes",
    ]


def _causes(count: int) -> str:
    return f"{count} {'cause lies' if count == 1 else 'causes lie'}"


def _word(ranked: Ranked, paint: Paint) -> str:
    word = ranked.verdict.word
    role = {"confirmed": "error", "excluded": "dim", "unlikely": "dim"}.get(word, "")
    return f"  {paint(f'[{word} by your launch file]', role)}" if word else ""


def _cause(rank: int, ranked: Ranked, paint: Paint) -> list[str]:
    cause = ranked.cause
    lines = [f"{paint(f'{rank}. {cause.title}', 'bold')}  {ranked.score:.2f}{_word(ranked, paint)}"]
    places = _unique(ranked.seen)
    lines += [_row("seen", _seen(seen), paint) for seen in places[:_PLACES]]
    if len(places) > _PLACES:
        lines.append(_row("", f"and {len(places) - _PLACES} more", paint))
    verdict = ranked.verdict
    said = (*verdict.confirms, *verdict.excludes, *verdict.doubts)
    lines += [_row("run", visible(each), paint) for each in said]
    if verdict.missing and not (verdict.confirms or verdict.excludes):
        lines.append(_row("unknown", visible("; ".join(verdict.missing)), paint))
    concerns = ", ".join(f"{name} {versions}".rstrip() for name, versions in cause.frameworks.items())
    lines.append(_row("check", cause.check, paint))
    lines.append(_row("fix", cause.fix, paint))
    lines.append(_row("known", f"{cause.grade}{f'; {concerns}' if concerns else ''}", paint))
    if cause.rules:
        lines.append(_row("rules", ", ".join(cause.rules) + "  (grpolint explain)", paint))
    for number, ref in enumerate(cause.refs):
        lines.append(_row("" if number else "see", f"{ref}  {paint(link(ref), 'dim')}".rstrip(), paint))
    return lines


def _row(name: str, what: str, paint: Paint) -> str:
    return f"   {paint(f'{name:<7}', 'gutter')} {what}"


def _unique(seen: tuple[Seen, ...]) -> list[Seen]:
    """What was seen, each place once; a line that two symptoms match counts for the first."""
    found: dict[object, Seen] = {}
    for each in seen:
        found.setdefault((each.path, each.line, each.text), each)
    return list(found.values())


def _seen(seen: Seen) -> str:
    shown = visible(seen.text if len(seen.text) <= _WIDE else seen.text[: _WIDE - 3] + "...")
    if not seen.path:
        return f"you said {shown!r}: {seen.symptom.title}"
    more = f"  ({seen.count} lines)" if seen.count > 1 else ""
    return f"{visible(seen.path)}:{seen.line}: {shown}{more}"


def link(ref: str) -> str:
    """Where a ref leads; empty for one without a page."""
    known = thread(ref)
    if known is not None:
        return known.url
    repository, hash_sign, number = ref.partition("#")
    return f"https://github.com/{repository}/issues/{number}" if hash_sign and number.isdigit() else ""


def data(diagnosis: Diagnosis) -> dict[str, Any]:
    """The document of `--format json`."""
    return {
        "schema": "grpolint.diagnosis/1",
        "causes": [_data(ranked) for ranked in diagnosis.ranked],
        "symptoms": [{**_symptom(seen.symptom), **_place(seen)} for seen in diagnosis.seen],
        "unmatched": [
            {"text": each.text, "near": each.near or None, "why": each.why or None} for each in diagnosis.unmatched
        ],
        "notes": list(diagnosis.notes),
        "outside_topic": diagnosis.outside,
    }


def _symptom(symptom: Symptom) -> dict[str, Any]:
    return {"symptom": symptom.id, "title": symptom.title}


def _place(seen: Seen) -> dict[str, Any]:
    return {
        "text": seen.text,
        "file": seen.path or None,
        "line": seen.line or None,
        "lines": seen.count,
        "quality": round(seen.quality, 3),
    }


def _data(ranked: Ranked) -> dict[str, Any]:
    cause, verdict = ranked.cause, ranked.verdict
    return {
        "cause": cause.id,
        "title": cause.title,
        "score": round(ranked.score, 3),
        "grade": cause.grade,
        "topics": list(cause.topics),
        "frameworks": dict(cause.frameworks),
        "seen": [{"symptom": seen.symptom.id, **_place(seen)} for seen in ranked.seen],
        "run": {
            "verdict": verdict.word or None,
            "confirms": list(verdict.confirms),
            "excludes": list(verdict.excludes),
            "doubts": list(verdict.doubts),
            "missing": list(verdict.missing),
        },
        "check": cause.check,
        "fix": cause.fix,
        "rules": list(cause.rules),
        "evidence": [{"ref": ref, "url": link(ref) or None} for ref in cause.refs],
    }
