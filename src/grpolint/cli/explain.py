"""`grpolint explain`: all that is known of a rule, offline."""

from __future__ import annotations

from grpolint.check import entries, find_entry, load
from grpolint.cli.main import OK
from grpolint.cli.options import Parser
from grpolint.cli.output import paint_for
from grpolint.report.rule import explanation

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print the explanation of each rule named."""
    parser = Parser("grpolint explain", "Explain a rule.", "grpolint explain ID|NAME...")
    parser.add_argument("rules", nargs="+", metavar="RULE", help="id, name or alias of a rule")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    found = parser.read(words)
    chosen = []
    for word in found.rules:
        entry = find_entry(word)
        if entry is None:
            from grpolint.suggest import suggestion

            near = suggestion(word, [name for each in entries() for name in (each.name, each.id)])
            parser.error(f"no rule is called {word!r}{near or '; `grpolint rules` lists them'}")
        chosen.append(entry)
    paint = paint_for(found.color)
    print("\n\n".join(explanation(entry, load(entry), paint) for entry in chosen))
    return OK
