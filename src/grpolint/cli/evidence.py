"""`grpolint evidence`: what the rules and the handbook rest on, with grades, releases and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.cli.main import OK
from grpolint.cli.options import Parser
from grpolint.cli.output import paint_for
from grpolint.evidence import GRADES, stated, threads

if TYPE_CHECKING:
    from grpolint.evidence import Stated, Thread

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print the evidence that was asked for."""
    parser = Parser(
        "grpolint evidence",
        "List the evidence: the handbook's rules with their grades, and the threads and sources behind everything.",
        "grpolint evidence [--grade GRADE] [--framework NAME] [REF...] [--format text|json]",
    )
    parser.add_argument(
        "refs", nargs="*", metavar="REF", help="owner/repo#N, owner/repo, N, or a rule of the handbook; default all"
    )
    parser.add_argument("--grade", choices=GRADES, help="how far it was found to be true")
    parser.add_argument("--framework", metavar="NAME", help="what it concerns, such as verl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    found = parser.read(words)
    handbook, known = _named(parser, found.refs) if found.refs else (list(stated()), list(threads()))
    if found.grade:
        handbook = [each for each in handbook if each.grade == found.grade]
        known = [each for each in known if each.grade == found.grade]
    if found.framework:
        name = _framework(parser, found.framework)
        handbook = [each for each in handbook if name in each.options]
        known = [each for each in known if name in each.frameworks]
    if found.format == "json":
        from grpolint.report.evidence import rows
        from grpolint.report.json import dump

        print(dump(rows(handbook, known)))
        return OK
    from grpolint.report.evidence import catalogue

    text = catalogue(handbook, known, paint_for(found.color))
    if text:
        print(text, end="\n\n")
    print(
        f"{_count(len(handbook), 'rule')} of the handbook, {_count(len(known), 'thread or source', 'threads and sources')}"
    )
    return OK


def _named(parser: Parser, refs: list[str]) -> tuple[list[Stated], list[Thread]]:
    """The rules of the handbook and the threads that were named, each once; a rule brings what it was judged by."""
    from grpolint.evidence import thread
    from grpolint.evidence.lookup import stated_as, subjects

    handbook: dict[str, Stated] = {}
    known: dict[str, Thread] = {}
    for ref in refs:
        rule = stated_as(ref)
        if rule is not None:
            handbook[rule.id] = rule
            known.update({each.ref: each for name in rule.refs if (each := thread(name)) is not None})
            continue
        named = [each.thread for each in subjects(ref) if each.thread is not None]
        if not named:
            from grpolint.suggest import suggestion

            parser.error(f"nothing is known of {ref!r}{suggestion(ref, (each.ref for each in threads()))}")
        known.update({each.ref: each for each in named})
    return list(handbook.values()), list(known.values())


def _framework(parser: Parser, name: str) -> str:
    """The framework as the evidence spells it; ends with an error for one that no evidence concerns."""
    concerned = {word for each in threads() for word in each.frameworks}
    wanted = name.lower()
    if wanted not in concerned:
        from grpolint.suggest import suggestion

        hint = suggestion(wanted, concerned) or f"; known are {', '.join(sorted(concerned))}"
        parser.error(f"--framework: no evidence concerns {name!r}{hint}")
    return wanted


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
