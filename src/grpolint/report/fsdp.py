"""What `grpolint fsdp` prints of its own: the guide and the comparison."""

from __future__ import annotations

import textwrap
from typing import Any

from grpolint.changes import SetOption
from grpolint.evidence import Stated, thread
from grpolint.report.show import origin_text
from grpolint.report.terminal import Paint, visible
from grpolint.rules.api import show
from grpolint.topics.fsdp_compare import Aspect
from grpolint.topics.fsdp_guide import Guide
from grpolint.values import Value, plain

__all__ = ["comparison_data", "comparison_text", "guide_data", "guide_text", "handbook_data", "handbook_text"]

WIDTH = 118
"""Columns of running text."""

_WEIGHTS = {"decides": "error", "for": "good", "mind": "warning"}


def _wrapped(lead: str, text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * indent, break_on_hyphens=False)


def _source(ref: str) -> str:
    """A ref with its grade where that is not confirmed."""
    found = thread(ref)
    return ref if found is None or found.grade == "confirmed" else f"{ref} ({found.grade})"


def guide_text(name: str, guide: Guide, paint: Paint) -> str:
    """The guide for one launch, or for the command line alone (an empty name)."""
    releases = [
        f"{package} {version.text}{' (assumed)' if version.assumed else ''}" for package, version in guide.releases
    ]
    head = "  ".join(visible(each) for each in (name, guide.framework, ", ".join(releases)) if each)
    lines = [paint(head, "bold"), *(_read(key, value) for key, value in guide.read), ""] if head else []
    lines.append(paint(guide.headline, "bold"))
    for reason in guide.reasons:
        favours = f"FSDP{reason.favours}" if reason.favours else ""
        lead = f"  {reason.weight:<8}{favours:<6}"
        first, *rest = _wrapped(" " * len(lead), reason.says, len(lead))
        lines += [paint(lead, _WEIGHTS[reason.weight]) + first[len(lead) :], *rest]
        lines += [paint(f"{' ' * len(lead)}= {_source(ref)}", "dim") for ref in reason.refs]
    if guide.changes:
        lines += ["", "to set:", *(f"  {_written(change)}" for change in guide.changes)]
    if guide.questions:
        wide = max(len(each.text) for each in guide.questions)
        lines += ["", "what could not be read:"]
        for each in guide.questions:
            why = f"  ({visible(each.why)})" if each.why and each.why != "nothing says it" else ""
            lines.append(f"  {each.text:<{wide}}  {each.option}{why}")
    return "\n".join(lines)


def _written(change: Any) -> str:
    if not isinstance(change, SetOption):
        return str(change)
    if change.framework == "verl":
        return f"{change.key}={show(change.value)}"
    section, _, key = change.key.rpartition(".")
    return f"{section}: {{{key}: {show(change.value)}}}" if section else f"{key}: {show(change.value)}"


def _read(key: str, value: Value) -> str:
    return f"  {key.rpartition('.')[2]:<22} {visible(show(plain(value))):<8} {origin_text(value.origins)}".rstrip()


def guide_data(name: str, guide: Guide) -> dict[str, Any]:
    """The guide as plain data."""
    return {
        "file": name or None,
        "framework": guide.framework or None,
        "releases": [
            {"name": package, "version": version.text, "assumed": version.assumed, "origin": version.origin}
            for package, version in guide.releases
        ],
        "now": guide.now,
        "advised": guide.advised,
        "headline": guide.headline,
        "reasons": [
            {"says": each.says, "favours": each.favours or None, "weight": each.weight, "evidence": _refs(each.refs)}
            for each in guide.reasons
        ],
        "questions": [
            {"name": each.name, "text": each.text, "option": each.option, "why": each.why} for each in guide.questions
        ],
        "read": {key: plain(value) for key, value in guide.read},
        "changes": [
            {"framework": each.framework, "key": each.key, "value": each.value}
            for each in guide.changes
            if isinstance(each, SetOption)
        ],
    }


def _refs(refs: tuple[str, ...]) -> list[dict[str, Any]]:
    found = [(ref, thread(ref)) for ref in refs]
    return [
        {"ref": ref, "url": each.url if each else None, "grade": each.grade if each else None} for ref, each in found
    ]


def comparison_text(aspects: list[Aspect], paint: Paint) -> str:
    """The comparison, one aspect after the other."""
    blocks = []
    for each in aspects:
        lines = [paint(each.name, "bold")]
        lines += _wrapped("  FSDP1  ", each.first, 9)
        lines += _wrapped("  FSDP2  ", each.second, 9)
        lines += [paint(f"  = {_source(ref)}", "dim") for ref in each.refs]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def comparison_data(aspects: list[Aspect]) -> list[dict[str, Any]]:
    """The comparison as plain data."""
    return [
        {
            "aspect": each.name,
            "fsdp1": each.first,
            "fsdp2": each.second,
            "frameworks": list(each.frameworks),
            "evidence": _refs(each.refs),
        }
        for each in aspects
    ]


def handbook_text(stated: list[Stated], paint: Paint) -> str:
    """What the handbook states, and what was found out about it."""
    blocks = []
    for each in stated:
        lines = [paint(f"handbook {each.id}: {each.text}", "bold"), f"  why: {each.why}"]
        lines += _wrapped(f"  found {each.grade}: ", each.corrected, 4)
        lines += [paint(f"  = {_source(ref)}", "dim") for ref in each.refs]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def handbook_data(stated: list[Stated]) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "id": each.id,
            "text": each.text,
            "why": each.why,
            "grade": each.grade,
            "corrected": each.corrected,
            "evidence": _refs(each.refs),
        }
        for each in stated
    ]
