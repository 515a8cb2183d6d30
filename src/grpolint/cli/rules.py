"""`grpolint rules`: list the rules."""

from __future__ import annotations

from grpolint.check import entries
from grpolint.cli.main import OK
from grpolint.cli.options import Parser
from grpolint.cli.output import paint_for

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print every rule, or those of the families named."""
    parser = Parser("grpolint rules", "List the rules.", "grpolint rules [FAMILY|ID|NAME]... [--format text|json]")
    parser.add_argument("patterns", nargs="*", metavar="FAMILY", help="two letters, an id or a name; default all")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    found = parser.read(words)
    patterns = [word if word.islower() else word.upper() for word in found.patterns]
    for pattern in patterns:
        if not any(entry.matches(pattern) or entry.matches(pattern.upper()) for entry in entries()):
            parser.error(f"no rule is called {pattern!r}")
    listed = [
        entry
        for entry in entries()
        if not patterns or any(entry.matches(pattern) or entry.matches(pattern.upper()) for pattern in patterns)
    ]
    if found.format == "json":
        from grpolint.report.json import dump

        rows = [
            {
                "id": entry.id,
                "name": entry.name,
                "summary": entry.summary,
                "severity": entry.severity.name.lower(),
                "confidence": entry.confidence.name.lower(),
                "frameworks": entry.frameworks,
                "default": entry.default,
                "aliases": list(entry.aliases),
            }
            for entry in listed
        ]
        print(dump({"schema": "grpolint.rules/1", "rules": rows}))
        return OK
    paint = paint_for(found.color)
    width = max((len(entry.name) for entry in listed), default=0)
    for entry in listed:
        severity = entry.severity.name.lower()
        off = "" if entry.default else paint("  (off by default)", "dim")
        print(f"{entry.id}  {entry.name:<{width}}  {paint(f'{severity:<7}', severity)}  {entry.summary}{off}")
    return OK
