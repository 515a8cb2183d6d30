"""The matrix, the 36 rules on a configuration, and one class of faults through all frameworks: as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grpolint.evidence import Cell, Pattern, Thread, cells, patterns, thread
from grpolint.findings import Outcome
from grpolint.handbook import Judgement, reckoning, summary
from grpolint.report.terminal import Paint, visible
from grpolint.report.wrap import wrapped
from grpolint.topics.matrix import COLUMNS, Exposure, frameworks_of, held_by

__all__ = ["across_row", "across_text", "judged_rows", "judged_text", "matrix_rows", "matrix_text"]

_ROLES = {
    Outcome.PASS: "good",
    Outcome.FAIL: "error",
    Outcome.WARN: "warning",
    Outcome.UNDECIDED: "warning",
    Outcome.NOT_APPLICABLE: "dim",
}
_TITLES = {"deepspeed": "DeepSpeed", "megatron": "Megatron", "vllm": "vLLM", "sglang": "SGLang", "rllm": "rLLM"}
_TITLES |= {"mindie": "MindIE", "trl": "TRL"}


def _title(framework: str) -> str:
    return _TITLES.get(framework, framework)


def _state(cell: Cell) -> str:
    releases = ", ".join(f"{name} {version}" for name, version in cell.fixed.items())
    return f"fixed in {releases}" if releases else cell.state.replace("-", " ")


# the matrix


def matrix_text(paint: Paint, width: int) -> str:
    """Numbers where they really belong, a mark on those that the handbook prints elsewhere, then each with its state."""
    shown = patterns()
    columns = [*COLUMNS, *dict.fromkeys(name for each in shown for name in frameworks_of(each) if name not in COLUMNS)]
    rows = [["", *(_title(name) for name in columns)]]
    rows += [[pattern.name, *(_numbers(pattern, name) for name in columns)] for pattern in shown]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(f"{cell:<{size}}" for cell, size in zip(row, widths)).rstrip() for row in rows]
    lines[0] = paint(lines[0], "bold")
    lines += ["", "* printed by the handbook in another column, or not at all", ""]
    for pattern in shown:
        lines += _section(pattern, paint, width)
    return "\n".join(lines).rstrip()


def _numbers(pattern: Pattern, framework: str) -> str:
    marks = [f"#{cell.ref.partition('#')[2]}{'*' if _moved(cell) else ''}" for cell in held_by(pattern, framework)]
    return " ".join(marks) or "-"


def _moved(cell: Cell) -> bool:
    """Whether the handbook prints it only in a column of another framework."""
    same = [each for each in cells() if (each.pattern, each.ref) == (cell.pattern, cell.ref)]
    return not any(each.printed and _column(each.column) == each.framework for each in same)


def _column(printed: str) -> str:
    return {"sllm": "sglang"}.get(printed.lower(), printed.lower())


def _section(pattern: Pattern, paint: Paint, width: int) -> list[str]:
    lines = [f"{paint(pattern.name, 'bold')}: {pattern.title}"]
    for framework in frameworks_of(pattern):
        for cell in held_by(pattern, framework):
            lines += _report(cell, width)
    if pattern.rules:
        lines.append(f"  found in launch files by {', '.join(pattern.rules)}")
    return [*lines, ""]


def _report(cell: Cell, width: int) -> list[str]:
    """One report: where it belongs, its state, what it says, and where the handbook has it."""
    same = [each for each in cells() if (each.pattern, each.ref) == (cell.pattern, cell.ref)]
    where = dict.fromkeys(each.column for each in same if each.printed)
    lines = [f"  {_title(cell.framework)}: {cell.ref}, {_state(cell)}"]
    known = thread(cell.ref)
    texts = [known.says] if known is not None else []
    if _moved(cell):
        texts.append(f"The handbook prints it under {', '.join(where)}." if where else "Not in the handbook's table.")
    texts += dict.fromkeys(each.note for each in same if each.note)
    return lines + wrapped(" ".join(texts), width, "    ")


def matrix_rows() -> list[dict[str, Any]]:
    """The matrix as plain data."""
    return [_pattern_row(pattern) for pattern in patterns()]


def _pattern_row(pattern: Pattern) -> dict[str, Any]:
    found = [cell for cell in cells() if cell.pattern == pattern.name]
    return {
        "pattern": pattern.name,
        "title": pattern.title,
        "says": pattern.says,
        "rules": list(pattern.rules),
        "reports": [
            {
                "ref": cell.ref,
                "framework": cell.framework,
                "printed_under": cell.column if cell.printed else None,
                "misplaced": _moved(cell),
                "state": cell.state,
                "fixed": dict(cell.fixed),
                "note": cell.note or None,
                "url": known.url if (known := thread(cell.ref)) is not None else None,
            }
            for cell in found
        ],
    }


# the 36 rules on a configuration


def judged_text(judgements: Sequence[Judgement], head: tuple[str, str], own: bool, paint: Paint, width: int) -> str:
    """A line for each rule with its outcome and what decided it.

    `head` is what was judged and the policy; `own` that it is the handbook's own configuration.
    """
    what, policy = head
    lines = [f"{paint(visible(what), 'bold')} under the policy {policy}"]
    for each in judgements:
        outcome = paint(f"{each.outcome.value:<14}", _ROLES[each.outcome])
        twin = f" (as {', '.join(each.stated.same_as)})" if each.stated.same_as else ""
        rules = f" [{', '.join(each.rules)}]" if policy == "evidence" and each.rules else ""
        lines.append(f"{each.id}  {outcome}  {each.stated.text}{twin}")
        lines += wrapped(visible(each.message) + rules, width, "     ")
    lines += ["", summary(judgements)]
    if own and policy == "handbook":
        lines += ["", *(line for text in reckoning(judgements).splitlines() for line in wrapped(text, width, ""))]
    return "\n".join(lines)


def judged_rows(judgements: Iterable[Judgement]) -> list[dict[str, Any]]:
    """The judgements as plain data."""
    return [
        {
            "id": each.id,
            "text": each.stated.text,
            "grade": each.stated.grade,
            "outcome": each.outcome.value,
            "rules": list(each.rules),
            "decided_by": [
                {
                    "ref": one.ref,
                    "kind": one.kind,
                    "name": one.name,
                    "value": one.value,
                    "line": one.span.line if one.span is not None else None,
                }
                for one in each.decided_by
            ],
            "missing": list(each.missing),
            "reason": each.reason or None,
            "message": each.message,
            "same_as": list(each.stated.same_as),
        }
        for each in judgements
    ]


# one class through all frameworks


def across_text(
    chosen: Sequence[Pattern], exposed: Sequence[Exposure], bug: Thread | None, paint: Paint, width: int
) -> str:
    """Each class with what is known of it in every framework, and what a configuration's own outcome is."""
    lines: list[str] = []
    if bug is not None:
        fixed = ", ".join(f"{name} {version}" for name, version in bug.fixed.items())
        state = f"fixed in {fixed}" if fixed else bug.state
        lines += [f"{paint(bug.ref, 'bold')}: {bug.kind}, {state}, {bug.grade}", f"  {paint(bug.url, 'dim')}"]
        lines += wrapped(f"{bug.says} {bug.note}".strip(), width, "  ")
        lines += ["", "The same class elsewhere:" if chosen else "It stands in no class of the matrix.", ""]
    for pattern in chosen:
        lines += _across(pattern, [each for each in exposed if each.pattern == pattern], paint, width)
    return "\n".join(lines).rstrip()


def _across(pattern: Pattern, exposed: Sequence[Exposure], paint: Paint, width: int) -> list[str]:
    lines = [f"{paint(pattern.name, 'bold')}: {pattern.title}", *wrapped(pattern.says, width, "  ")]
    known = frameworks_of(pattern)
    for framework in known:
        for cell in held_by(pattern, framework):
            lines += _report(cell, width)
    lines.append(f"  no report known: {', '.join(_title(name) for name in COLUMNS if name not in known)}")
    lines += [f"  further evidence: {', '.join(pattern.refs)}"] if pattern.refs else []
    for each in exposed:
        line = f":{each.run.span.line}" if each.run.span is not None else ""
        outcome = paint(_EXPOSED[each.outcome], _ROLES[each.outcome])
        lines.append(f"  {visible(each.run.source.path)}{line}: {outcome}{_by(each)}")
    return [*lines, ""]


_EXPOSED = {
    Outcome.PASS: "not exposed",
    Outcome.FAIL: "exposed",
    Outcome.WARN: "may be exposed",
    Outcome.UNDECIDED: "undecided",
    Outcome.NOT_APPLICABLE: "not exposed: nothing of it concerns this run",
}


def _by(exposure: Exposure) -> str:
    """The rules behind an outcome, with what they say or miss."""
    worst = [result for result in exposure.results if result.outcome is exposure.outcome]
    told = [f"{result.rule}: {finding.message}" for result in worst for finding in result.findings]
    told += [f"{result.rule} needs {', '.join(result.missing)}" for result in worst if result.missing]
    if told:
        return ", " + "; ".join(map(visible, told))
    return f" ({', '.join(result.rule for result in worst)})" if worst else ""


def across_row(chosen: Sequence[Pattern], exposed: Sequence[Exposure]) -> list[dict[str, Any]]:
    """The same as plain data."""
    rows = []
    for pattern in chosen:
        row = _pattern_row(pattern)
        row["exposed"] = [
            {
                "file": each.run.source.path,
                "line": each.run.span.line if each.run.span is not None else None,
                "outcome": each.outcome.value,
                "rules": {result.rule: result.outcome.value for result in each.results},
            }
            for each in exposed
            if each.pattern == pattern
        ]
        rows.append(row)
    return rows
