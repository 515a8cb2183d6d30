"""`grpolint explain`: all that is known of a rule, of a rule of the handbook, or of a bug, offline."""

from __future__ import annotations

from typing import Any

from grpolint.check import entries, find_entry, load
from grpolint.cli.main import OK
from grpolint.cli.options import Parser
from grpolint.cli.output import paint_for
from grpolint.report.terminal import Paint

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print the explanation of each thing named."""
    parser = Parser(
        "grpolint explain",
        "Explain a rule, a rule of the handbook (D01-D19, N01-N17), or a bug.",
        "grpolint explain ID|NAME|OWNER/REPO#N|N... [--format text|json]",
    )
    parser.add_argument("words", nargs="+", metavar="WORD", help="id, name or alias of a rule, or a bug's number")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    found = parser.read(words)
    paint = paint_for(found.color if found.format == "text" else "never")
    pages: list[str] = []
    rows: list[dict[str, Any]] = []
    for word in found.words:
        known = _explained(word, paint)
        if not known:
            parser.error(f"{_nothing(word)}{_near(word)}")
        pages += [page for page, _ in known]
        rows += [{"word": word, **row} for _, row in known]
    if found.format == "json":
        from grpolint.report.json import dump

        print(dump({"schema": "grpolint.explain/1", "explained": rows}))
    else:
        print("\n\n".join(pages))
    return OK


def _explained(word: str, paint: Paint) -> list[tuple[str, dict[str, Any]]]:
    """The page and the row of everything that goes by a word."""
    from grpolint.evidence.lookup import stated_as, subjects

    wanted = word.lower()
    house = next(
        (each for each in entries() if each.policy == "handbook" and wanted in (each.id.lower(), each.name)), None
    )
    stated = stated_as(house.id if house is not None else word)
    if stated is not None:
        from grpolint.report import stated as report

        rule = load(house) if house is not None else None
        return [(report.page(stated, entries(), rule, paint), {"kind": "handbook", **report.row(stated, rule)})]
    entry = find_entry(word)
    if entry is not None:
        from grpolint.report.rule import explanation, row

        known = load(entry)
        return [(explanation(entry, known, paint), {"kind": "rule", **row(entry, known)})]
    from grpolint.report.evidence import subject, subject_row

    return [("\n".join(subject(each, paint)), {"kind": "evidence", **subject_row(each)}) for each in subjects(word)]


def _nothing(word: str) -> str:
    from grpolint.evidence.lookup import numbered

    if numbered(word) is not None or "#" in word:
        return f"nothing is known of {word!r}"
    return f"no rule is called {word!r}"


def _near(word: str) -> str:
    """What was probably meant."""
    from grpolint.evidence import threads
    from grpolint.evidence.lookup import numbered
    from grpolint.suggest import suggestion

    if numbered(word) is not None:
        return "; `grpolint evidence` lists what is"
    if "/" in word or "#" in word:
        return suggestion(word, (each.ref for each in threads())) or "; `grpolint evidence` lists what is"
    near = suggestion(word, [name for each in entries() for name in (each.name, each.id, *each.aliases)])
    return near or "; `grpolint rules` lists them"
