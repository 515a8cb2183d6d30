"""A rule explained: its documentation, where it applies, and the evidence."""

from __future__ import annotations

from grpolint.check import Entry
from grpolint.report.terminal import Paint
from grpolint.rules.api import Rule

__all__ = ["explanation"]


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
    lines = [paint(f"{entry.id} {entry.name}", "bold"), entry.summary, "", *facts, ""]
    lines += [
        paint(line.removeprefix("## "), "bold") if line.startswith("## ") else line
        for line in rule.doc.strip().splitlines()
    ]
    lines += ["", paint("Evidence", "bold")]
    for each in rule.evidence:
        lines += [f"- {each.ref} ({each.grade}): {each.says}", f"  {paint(each.url, 'dim')}"]
    lines += ["", paint("To ignore it", "bold"), f"# grpolint: ignore[{entry.id}] the reason"]
    return "\n".join(lines)
