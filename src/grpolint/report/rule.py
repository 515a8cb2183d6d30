"""A rule explained: its documentation, where it applies, and the evidence."""

from __future__ import annotations

from typing import Any

from grpolint.check import Entry
from grpolint.evidence import thread
from grpolint.evidence.lookup import stated_as, versions
from grpolint.report.terminal import Paint
from grpolint.rules.api import Evidence, Rule

__all__ = ["explanation", "row", "sections"]


def explanation(entry: Entry, rule: Rule, paint: Paint) -> str:
    """The page of one rule as text."""
    severity = entry.severity.name.lower()
    where = ", ".join(f"{name} {versions}".rstrip() for name, versions in entry.frameworks.items())
    facts = [
        f"severity {paint(severity, severity)}, confidence {entry.confidence.name.lower()}, since {rule.since}",
        f"applies to {where or 'every launch'}" + ("" if entry.default else "; off unless selected"),
    ]
    if entry.aliases:
        facts.append(f"also known as {', '.join(entry.aliases)}")
    facts += [text for text in (why_off(entry, rule),) if text]
    lines = [paint(f"{entry.id} {entry.name}", "bold"), entry.summary, "", *facts, ""]
    lines += [
        paint(line.removeprefix("## "), "bold") if line.startswith("## ") else line
        for line in rule.doc.strip().splitlines()
    ]
    lines += ["", paint("Evidence", "bold")]
    for each in rule.evidence:
        facts = [each.grade, *filter(None, (_versions(each),))]
        lines += [f"- {each.ref} ({', '.join(facts)}): {each.says}", f"  {paint(each.url, 'dim')}"]
    stated = [found for alias in entry.aliases if (found := stated_as(alias)) is not None]
    if stated:
        lines += ["", paint("In the handbook", "bold")]
        lines += [f"- {each.id} ({each.grade}): {each.text} - {each.why}" for each in stated]
    lines += ["", paint("To ignore it", "bold"), f"# grpolint: ignore[{entry.id}] the reason"]
    return "\n".join(lines)


def why_off(entry: Entry, rule: Rule) -> str:
    """One sentence where a rule is off because of its evidence; an empty text otherwise."""
    grades = {each.grade for each in rule.evidence}
    if entry.default or grades & {"confirmed", "partly"}:
        return ""
    reason = {
        "contradicted": "the evidence contradicts it",
        "opinion": "it is a preference, which no evidence decides",
    }
    return f"It does not fire by default, because {reason.get(min(grades), 'no source was found that bears it out')}."


def _versions(each: Evidence) -> str:
    found = thread(each.ref)
    return versions(found) if found is not None else ""


def row(entry: Entry, rule: Rule) -> dict[str, Any]:
    """The page for machines; `sections` are the parts of the documentation by their headings."""
    return {
        "id": entry.id,
        "name": entry.name,
        "summary": entry.summary,
        "severity": entry.severity.name.lower(),
        "confidence": entry.confidence.name.lower(),
        "since": rule.since,
        "frameworks": entry.frameworks,
        "default": entry.default,
        "why_off": why_off(entry, rule) or None,
        "aliases": entry.aliases,
        "sections": sections(rule.doc),
        "evidence": [_cited(each) for each in rule.evidence],
    }


def _cited(each: Evidence) -> dict[str, Any]:
    found = thread(each.ref)
    return {
        **{name: getattr(each, name) for name in each._fields},
        "introduced": found.introduced if found is not None else {},
        "fixed": found.fixed if found is not None else {},
    }


def sections(doc: str) -> dict[str, str]:
    """The parts of a rule's documentation by their headings; the first has none."""
    first, *rest = doc.strip().split("\n## ")
    found = {"": first.strip()}
    for part in rest:
        title, _, text = part.partition("\n")
        found[title.strip()] = text.strip("\n")
    return found
