"""How deeply each framework is read, counted from the code: `python -m grpolint.frameworks.survey` renews the table of the README."""

from __future__ import annotations

from pathlib import Path

from grpolint import catalog
from grpolint.check import entries
from grpolint.frameworks.base import Framework
from grpolint.frameworks.registry import frameworks

__all__ = ["BEGIN", "END", "main", "renewed", "table"]

BEGIN, END = "<!-- how deeply: made by `make generate` -->", "<!-- how deeply: end -->"

_DOORS = (("recognise_document", "YAML, JSON"), ("recognise_python", "Python"))


def table() -> str:
    """A Markdown table: what a framework is read from, the releases whose options are known, facts and rules of its own."""
    rows = [
        "| framework | read from | options known | facts | rules |",
        "|---|---|---|---|---|",
    ]
    read = sorted((each for each in frameworks() if each.title), key=lambda each: each.title.lower())
    rows += [
        f"| {each.title} | {', '.join(_doors(each))} | {_releases(each.name)} | {len(each.facts())} | {_rules(each.name)} |"
        for each in read
    ]
    names = {each.name for each in read}
    below = [name for name in catalog.frameworks() if name not in names]
    rows += [f"| {name} | with the above | {_releases(name)} | | {_rules(name)} |" for name in below]
    return "\n".join(rows)


def _doors(framework: Framework) -> list[str]:
    """The kinds of documents that it is read from."""
    doors = ["launches"] if framework.programs or _own(framework, "recognise_launch") else []
    doors += [word for method, word in _DOORS if _own(framework, method)]
    return doors or ["with another's launch"]


def _own(framework: Framework, method: str) -> bool:
    return getattr(type(framework), method) is not getattr(Framework, method)


def _releases(name: str) -> str:
    known = catalog.versions(name)
    if not known:
        return "none: only what the files set"
    return f"{known[0]} to {known[-1]} ({len(known)})" if len(known) > 1 else known[0]


def _rules(name: str) -> int:
    return sum(name in entry.frameworks and entry.policy != "handbook" for entry in entries())


def renewed(text: str) -> str:
    """The README with the table of today. Raises ValueError where its marks are missing."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError("the marks around the table are missing")
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def main() -> None:
    """Renew the README."""
    readme = Path(__file__).resolve().parents[3] / "README.md"
    readme.write_text(renewed(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
