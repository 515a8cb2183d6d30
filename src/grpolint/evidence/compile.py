"""Makes the data files and the pages of `docs/` from the YAML sources and the rules' headers: `python -m grpolint.evidence.compile`.

What can be worked out is: which rules cite a thread or carry the true part of a rule of the handbook, which framework a
cell of the matrix concerns and its state, and the threads that only the header of a rule cites.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grpolint import catalog
from grpolint.evidence import GRADES
from grpolint.evidence.linters import Entries, faults
from grpolint.evidence.pages import pages
from grpolint.evidence.references import package_of, read
from grpolint.evidence.schema import SOURCES, SourceError, load, optional
from grpolint.rules.api import Evidence, Rule
from grpolint.rules.generate import rules

__all__ = ["ROOT", "as_text", "compiled", "main", "texts"]

ROOT = Path(__file__).parents[3]
"""The checkout; its folder `evidence` has the sources."""


def texts(folder: Path, rules: Iterable[Rule], today: str) -> dict[str, str]:
    """The text of every data file and page by its path from the root of the checkout.

    Raises SourceError with all that is wrong with the sources in `folder` or the headers of `rules`.
    """
    sources, listed = load(folder), list(rules)
    wrong = faults(sources, listed, today)
    if wrong:
        raise SourceError(tuple(wrong))
    found = compiled(sources, listed)
    data = {f"src/grpolint/evidence/data/{name}.json": as_text(entries, name) for name, entries in found.items()}
    return {**data, **pages(found, {rule.id: rule.name for rule in listed})}


def compiled(sources: Mapping[str, Entries], rules: Iterable[Rule]) -> dict[str, Entries]:
    """The entries of the sources with all that is worked out. The sources are sound and stay as they are.

    The handbook's own rules take their evidence from here, so they have no part in it.
    """
    # The evidence of the handbook's own rules is made of this data.
    own = sorted((rule for rule in rules if rule.policy != "handbook"), key=lambda rule: rule.id)
    citing: dict[str, list[str]] = {}
    carrying: dict[str, list[str]] = {}
    for rule in own:
        for each in rule.evidence:
            citing.setdefault(each.ref, []).append(rule.id)
        for alias in rule.aliases:
            carrying.setdefault(alias, []).append(rule.id)
    links = {each.ref: each.url for rule in own for each in rule.evidence}
    threads = [dict(entry) for entry in sources["threads"]]
    threads += [_from_report(entry, links.get(entry["ref"])) for entry in sources["reports"]]
    threads += _from_headers(own, {entry["ref"] for entry in threads})
    for entry in threads:
        entry["rules"] = _unique(citing.get(entry["ref"], ()))
    threads.sort(key=lambda entry: _order(entry["ref"]))
    by_ref = {entry["ref"]: entry for entry in threads}
    handbook = [{**entry, "rules": _unique(carrying.get(entry["id"], ()))} for entry in sources["handbook"]]
    cells = [_cell(entry, by_ref) for entry in sources["cells"]]
    return {
        "symptoms": sources["symptoms"],
        "causes": sources["causes"],
        "threads": threads,
        "handbook": handbook,
        "cells": cells,
        "patterns": [_pattern(entry, handbook, cells, by_ref) for entry in sources["patterns"]],
    }


def _from_report(entry: Mapping[str, Any], link: str | None) -> dict[str, Any]:
    """The thread of a report; `link` is the one in a rule's header, which tells what kind of thread it is."""
    kind = "thread" if link is None else _kind(link)
    # GitHub leads from the link of an issue to the pull request of that number.
    url = link or f"https://github.com/{entry['ref'].replace('#', '/issues/')}"
    return {**entry, "url": url, "kind": kind, "state": ""}


def _kind(link: str) -> str:
    return "pull" if "/pull/" in link else "issue"


def _from_headers(rules: list[Rule], known: set[str]) -> Entries:
    """The threads that only headers cite, with what those say; the weakest grade of several counts."""
    cited: dict[str, list[tuple[Evidence, Rule]]] = {}
    for rule in rules:
        for each in rule.evidence:
            if each.ref not in known:
                cited.setdefault(each.ref, []).append((each, rule))
    found = []
    for ref, places in cited.items():
        first = places[0][0]
        reference = read(ref)
        assert reference is not None, ref  # the linters refuse it
        kind = reference.kind if reference.kind != "thread" else _kind(first.url)
        found.append(
            {
                "ref": ref,
                "url": first.url,
                "kind": kind,
                "state": {"source": "released", "page": "published"}.get(kind, ""),
                "says": " ".join(_sentence(text) for text in _unique(each.says for each, _ in places)),
                "grade": max((each.grade for each, _ in places), key=GRADES.index),
                "frameworks": _frameworks(package_of(reference), [rule for _, rule in places]),
            }
        )
    return found


def _frameworks(package: str, rules: list[Rule]) -> list[str]:
    if package in catalog.frameworks():
        return [package]
    return _unique(name for rule in rules for name in rule.frameworks)


def _sentence(text: str) -> str:
    """What a header says, as a sentence: headers write it as part of one."""
    whole = text if text.endswith((".", "!", "?")) else f"{text}."
    first = whole.partition(" ")[0]
    return whole[0].upper() + whole[1:] if first.isalpha() and first.islower() else whole


def _cell(entry: Mapping[str, Any], threads: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    thread = threads.get(entry["ref"])
    if thread is None:  # not found; another thread of its repository tells the framework
        home = entry["ref"].partition("#")[0]
        thread = next(each for ref, each in threads.items() if ref.partition("#")[0] == home)
        return {**entry, "framework": thread["frameworks"][0]}
    fixed = thread.get("fixed", {})
    state = entry.get("state") or ("fixed" if fixed else thread["state"])
    return {**entry, "framework": thread["frameworks"][0], "state": state, "fixed": fixed if state == "fixed" else {}}


def _pattern(
    entry: Mapping[str, Any], handbook: Entries, cells: Entries, threads: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    refs = [*entry.get("refs", ()), *(cell["ref"] for cell in cells if cell["pattern"] == entry["name"])]
    cited = [rule for ref in refs if ref in threads for rule in threads[ref]["rules"]]
    carried = [rule for stated in handbook if stated["id"] in entry["stated"] for rule in stated["rules"]]
    return {**entry, "rules": sorted({*cited, *carried})}


def _order(ref: str) -> tuple[int, str, int, str]:
    """Threads by repository and number, then sources, pages and experiments by name."""
    reference = read(ref)
    if reference is not None and reference.kind == "thread":
        return 0, reference.repository.lower(), reference.number, ref
    kinds = ("source", "page", "experiment")
    return 1 + kinds.index(reference.kind if reference else "page"), ref.lower(), 0, ref


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def as_text(entries: Entries, name: str) -> str:
    """A line for each entry, its fields in the record's order, those that are empty left out."""
    fields = SOURCES[name].__annotations__
    free = optional(SOURCES[name])
    rows = [
        json.dumps({key: entry[key] for key in fields if entry.get(key) or key not in free}, ensure_ascii=False)
        for entry in entries
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"


def main() -> int:
    """Write them; the result is the exit code."""
    from datetime import date

    try:
        found = texts(ROOT / "evidence", (rule for _, rule in rules()), date.today().isoformat())  # noqa: DTZ011 - a day, no time
    except SourceError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program of the workshop
        return 1
    for path, text in found.items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
