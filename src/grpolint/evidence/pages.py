"""The pages of `docs/` that follow from the evidence: the handbook's rules and the catalogue by framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.evidence import GRADES, Cell, Pattern, Stated, Thread, frozen
from grpolint.evidence.lookup import versions
from grpolint.evidence.references import NUMBER, read

__all__ = ["pages"]

_MADE = "<!-- Made by `make generate` from the folder evidence/; changes belong there. -->"

_MEANINGS = {
    "confirmed": "read in the source or the thread, and true as said",
    "partly": "true under the conditions that are given",
    "unverified": "nobody bore it out",
    "contradicted": "the source or the thread says otherwise",
    "opinion": "a preference",
}


def pages(compiled: Mapping[str, list[dict[str, Any]]], names: Mapping[str, str]) -> dict[str, str]:
    """The text of each page by its path from the root; `names` are the names of grpolint's rules by id."""
    threads = [Thread(**_values(row)) for row in compiled["threads"]]
    stated = [Stated(**_values(row)) for row in compiled["handbook"]]
    patterns = [Pattern(**_values(row)) for row in compiled["patterns"]]
    cells = [Cell(**_values(row)) for row in compiled["cells"]]
    return {
        "docs/handbook.md": _handbook(stated, patterns, cells, {each.ref: each for each in threads}, names),
        "docs/evidence.md": _catalogue(threads),
    }


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: frozen(value) for key, value in row.items()}


def _handbook(
    stated: list[Stated],
    patterns: list[Pattern],
    cells: list[Cell],
    threads: Mapping[str, Thread],
    names: Mapping[str, str],
) -> str:
    counts = ", ".join(f"{sum(each.grade == grade for each in stated)} {grade}" for grade in GRADES)
    lines = [
        "# The handbook",
        "",
        _MADE,
        "",
        "36 rules for GRPO runs: 19 that one must follow (D) and 17 that one must not break (N). `grpolint check --policy handbook`",
        "decides them as they stand. The policy `evidence`, the default, decides what was found to be true of them: by the rules of",
        "the last column. `grpolint explain D08` has everything on one of them.",
        "",
        f"Of the 36, {counts}.",
        "",
        *(f"- *{grade}*: {meaning}" for grade, meaning in _MEANINGS.items()),
        "",
    ]
    for title, kind in (("Must do", "do"), ("Must not", "dont")):
        lines += [f"## {title}", "", "| | As it stands | Why | Cites | Grade | Rules |", "|---|---|---|---|---|---|"]
        lines += [
            f"| [{each.id}](#{each.id.lower()}) | {_cell(each.text)} | {_cell(each.why)} | {', '.join(each.bugs)}"
            f" | {each.grade} | {', '.join(each.rules)} |"
            for each in stated
            if each.kind == kind
        ]
        lines += [""]
    lines += ["## What is true of each", ""]
    for each in stated:
        lines += _statement(each, threads, names)
    lines += [
        "## The matrix",
        "",
        "Classes of faults, and the bugs that the handbook prints for each, where they really belong.",
        "",
    ]
    for pattern in patterns:
        lines += [f"### {pattern.name}", "", f"{pattern.title}. {pattern.says}", ""]
        lines += ["| Column | Printed | Belongs to | State | |", "|---|---|---|---|---|"]
        lines += [_printed(cell, threads) for cell in cells if cell.pattern == pattern.name]
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def _statement(each: Stated, threads: Mapping[str, Thread], names: Mapping[str, str]) -> list[str]:
    rules = ", ".join(f"{number} {names.get(number, '')}".rstrip() for number in each.rules)
    same = (
        f"The same as {', '.join(f'[{other}](#{other.lower()})' for other in each.same_as)}. " if each.same_as else ""
    )
    lines = [
        f'### <a id="{each.id.lower()}"></a>{each.id} {each.title}',
        "",
        f"> {each.text}: {each.why}",
        "",
        f"**{each.grade.capitalize()}.** {each.corrected}",
        "",
        f"When: {each.condition} {same}".rstrip(),
        "",
    ]
    lines += [f"Notes: {each.notes}", ""] if each.notes else []
    lines += [f"Rules: {rules}", ""] if rules else []
    return [*lines, "Evidence: " + "; ".join(_link(threads[ref]) for ref in each.refs), ""]


def _printed(cell: Cell, threads: Mapping[str, Thread]) -> str:
    known = threads.get(cell.ref)
    home = _link(known) if known is not None else cell.ref
    state = cell.state + "".join(f" in {package} {version}" for package, version in cell.fixed.items())
    return f"| {cell.column} | {cell.printed or '-'} | {home} | {state} | {_cell(cell.note)} |"


def _catalogue(threads: list[Thread]) -> str:
    concerned = sorted({each.frameworks[0] for each in threads if each.frameworks})
    lines = [
        "# The evidence",
        "",
        _MADE,
        "",
        f"The {len(threads)} public threads, released sources, pages and experiments on which the rules, the handbook and the causes",
        "of `grpolint diagnose` rest, by the framework that they concern first. `grpolint evidence` lists them offline.",
        "",
        ", ".join(f"[{name}](#{name})" for name in concerned),
        "",
    ]
    for name in [*concerned, ""]:
        found = [each for each in threads if (each.frameworks[0] if each.frameworks else "") == name]
        lines += [f"## {name or 'several'}", ""] if found else []
        lines += [line for each in found for line in _entry(each)]
        lines += [""] if found else []
    return "\n".join(lines).rstrip() + "\n"


def _entry(each: Thread) -> list[str]:
    facts = ", ".join(filter(None, (each.state, each.grade, versions(each))))
    rules = f" Rules: {', '.join(each.rules)}." if each.rules else ""
    note = f" {_linked(each.note, each.ref)}" if each.note else ""
    return [f"- {_link(each)} ({facts}): {_linked(each.says, each.ref)}{note}{rules}"]


def _link(each: Thread) -> str:
    return f"[{each.ref}]({each.url})" if each.url else f"`{each.ref}`"


def _linked(text: str, ref: str) -> str:
    """The text with the numbers of threads of the same repository as links."""
    reference = read(ref)
    if reference is None or reference.kind != "thread":
        return text
    return NUMBER.sub(rf"[#\1](https://github.com/{reference.repository}/issues/\1)", text)


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|")
