"""Evidence as text and as rows for machines: threads and sources, and where the handbook prints them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grpolint.evidence import Cell, Stated, Thread, thread
from grpolint.evidence.lookup import Subject, carriers, cited_by, versions
from grpolint.report.terminal import Paint

__all__ = ["catalogue", "cited", "rows", "stated_line", "subject", "subject_row", "thread_row", "wrapped"]

WIDTH = 100
"""Columns of running text."""

_STATES = {"closed": "closed", "merged": "merged", "open": "open"}


def wrapped(text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """The text in lines of at most `width` columns, each indented; nothing for an empty text."""
    import textwrap

    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def kind_of(each: Thread) -> str:
    """What it is, with its state, such as `merged pull request`."""
    kind = {"pull": "pull request", "thread": "issue or pull request", "source": "released source"}
    return f"{_STATES.get(each.state, '')} {kind.get(each.kind, each.kind)}".strip()


def subject(each: Subject, paint: Paint) -> list[str]:
    """All that is known of a ref."""
    found = each.thread
    lines = [paint(each.ref, "bold")]
    if found is None:
        lines += ["not found"]
    else:
        facts = [kind_of(found), found.grade, versions(found), f"checked {found.checked}" if found.checked else ""]
        lines += [", ".join(filter(None, facts)), "", *wrapped(found.says)]
        lines += wrapped(found.note) if found.note else []
        lines += ["", paint(found.url, "dim")] if found.url else []
    told = [f"Handbook, {cell.pattern}, column {cell.column}: {_printed(cell)}" for cell in each.cells]
    told += [f"{rule.id} rests on it: {rule.text} ({rule.grade})" for rule in cited_by(each.ref)]
    told += [f"Rule {number} cites it" for number in (found.rules if found is not None else ())]
    return lines + ([""] if told else []) + [f"- {text}" for text in told]


def _printed(cell: Cell) -> str:
    place = f"prints {cell.printed}" if cell.printed else "prints nothing"
    return f"{place}. {cell.note}" if cell.note else place


def cited(refs: Iterable[str], paint: Paint) -> list[str]:
    """A list of threads and sources with what each says, grade, versions and link."""
    lines = []
    for ref in refs:
        found = thread(ref)
        if found is None:
            lines += [f"- {ref}"]
            continue
        facts = ", ".join(filter(None, (kind_of(found), found.grade, versions(found))))
        lines += [f"- {paint(ref, 'bold')} ({facts})", *wrapped(found.says, "  ")]
        lines += wrapped(found.note, "  ") if found.note else []
        lines += [f"  {paint(found.url, 'dim')}"] if found.url else []
    return lines


def stated_line(each: Stated) -> str:
    """A rule of the handbook in one line."""
    found = carriers(each)
    return f"{each.id}  {each.grade:<12}  {each.text}" + (f"  ({', '.join(found)})" if found else "")


def catalogue(handbook: Iterable[Stated], found: Iterable[Thread], paint: Paint) -> str:
    """The list that `grpolint evidence` prints."""
    lines = [stated_line(each) for each in handbook]
    blocks = ["\n".join([paint("The handbook's rules", "bold"), *lines])] if lines else []
    blocks += ["\n".join(cited([each.ref], paint)) for each in found]
    return "\n\n".join(blocks)


def thread_row(each: Thread) -> dict[str, Any]:
    """A thread for machines."""
    return {name: getattr(each, name) for name in each._fields}


def subject_row(each: Subject) -> dict[str, Any]:
    """A ref for machines: `thread` is null where none was found."""
    return {
        "ref": each.ref,
        "thread": thread_row(each.thread) if each.thread is not None else None,
        "printed": [{name: getattr(cell, name) for name in cell._fields} for cell in each.cells],
        "handbook": [rule.id for rule in cited_by(each.ref)],
    }


def rows(handbook: Iterable[Stated], found: Iterable[Thread]) -> dict[str, Any]:
    """The document `grpolint.evidence/1`."""
    return {
        "schema": "grpolint.evidence/1",
        "handbook": [
            {
                "id": each.id,
                "text": each.text,
                "grade": each.grade,
                "corrected": each.corrected,
                "rules": carriers(each),
            }
            for each in handbook
        ],
        "threads": [thread_row(each) for each in found],
    }
