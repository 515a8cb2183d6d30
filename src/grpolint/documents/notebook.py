"""Notebooks: the code cells as Python, magics and shell lines set apart. Spans lead into the `.ipynb` file."""

from __future__ import annotations

import re

from grpolint.documents.json import parse as parse_json
from grpolint.documents.nodes import Mapping, Node, Scalar, Sequence
from grpolint.documents.python import PythonDocument, analyse, syntax
from grpolint.documents.source import Problem, Source
from grpolint.regex import regex

__all__ = ["parse"]

_ESCAPE = regex(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_SHELL_CELLS = regex(r"%%(?:bash|sh|shell|script\s+(?:--\S+\s+)*(?:\S*/)?(?:ba|z)?sh)\b[^\n]*\n?")
_PYTHON_CELLS = regex(r"(\s*)(%%(?:capture|time|timeit|prun|python3?|px)\b[^\n]*)")
_MAGIC = regex(r"^([ \t]*)(?:[!%]|\?)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_CAPTURED = regex(r"^([\w., \t\[\]]+=[ \t]*)([!%](?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_BLANK = regex(r"[^\n]")
_HELP = regex(r"^([ \t]*)([\w.]+\?\??)[ \t]*$", re.MULTILINE)


def parse(source: Source) -> PythonDocument:
    """Read a Jupyter notebook; never raises. Cells run in their order in one set of names.

    `shell` of the result holds the text of `%%bash` cells and of `!` lines. A cell that is not Python is one Problem.
    """
    document = parse_json(source)
    cells = document.root.get("cells") if isinstance(document.root, Mapping) else None
    if not isinstance(cells, Sequence):
        problems = (
            *document.problems,
            Problem("not a notebook: it has no list of cells", source.span(0, 0), source.path),
        )
        return PythonDocument(source, problems=problems, language="notebook")
    units: list[Source] = []
    shell: list[Source] = []
    for cell in cells.items:
        kind = cell.get("cell_type") if isinstance(cell, Mapping) else None
        if not isinstance(cell, Mapping) or not isinstance(kind, Scalar) or kind.value != "code":
            continue
        code = _cell(source, cell.get("source") or cell.get("input"))
        if code is not None:
            _sort(code, units, shell)
    made = analyse(source, units, tuple(shell), "notebook")
    if not document.problems:
        return made
    return PythonDocument(
        source,
        made.calls,
        (*document.problems, *made.problems),
        made.imports,
        made.options,
        made.strings,
        made.environment,
        made.shell,
        "notebook",
    )


def _cell(source: Source, node: Node | None) -> Source | None:
    """The text of a cell, from the one string or the list of lines that the file has."""
    lines = node.items if isinstance(node, Sequence) else (node,)
    chunks: list[str] = []
    segments: list[tuple[int, int, int]] = []
    length = 0
    for line in lines:
        if not isinstance(line, Scalar) or not isinstance(line.value, str) or not line.value:
            continue
        segments.extend((length + at, start, end) for at, start, end in _segments(line))
        chunks.append(line.value)
        length += len(line.value)
    if not chunks or node is None:
        return None
    return Source(source.path, "".join(chunks), node.span, None, tuple(segments))


def _segments(line: Scalar) -> list[tuple[int, int, int]]:
    """Where the characters of a JSON string stand in the file: stretches without escapes, and each escape."""
    base, raw = line.span.start, line.raw
    found: list[tuple[int, int, int]] = []
    length, at, last = 0, 1, len(raw) - 1
    for escape in _ESCAPE.finditer(raw, 1, last):
        if escape.start() > at:
            found.append((length, base + at, base + escape.start()))
            length += escape.start() - at
        found.append((length, base + escape.start(), base + escape.end()))
        length += 1
        at = escape.end()
    if at < last:
        found.append((length, base + at, base + last))
        length += last - at
    return found if length == len(line.value) else [(0, line.span.start, line.span.end)]


def _part(code: Source, start: int, end: int) -> Source:
    """A stretch of a cell as a source of its own."""
    return Source(code.path, code.text[start:end], code.span(start, end), start)


def _sort(code: Source, units: list[Source], shell: list[Source]) -> None:
    """Put a cell where it belongs. Lines that are not Python become statements of the same length that do nothing."""
    text = code.text
    first = len(text) - len(text.lstrip())
    head: re.Match[str] | None = None
    if text.startswith("%%", first):
        bash = _SHELL_CELLS.match(text, first)
        if bash is not None:
            shell.append(_part(code, bash.end(), len(text)))
            return
        head = _PYTHON_CELLS.match(text)
        if head is None:
            return

    def nothing(found: re.Match[str]) -> str:
        indent = found.group(1)
        if found.group()[len(indent)] == "!" and found.group(2).strip():
            shell.append(_part(code, found.start(2), found.end(2)))
        return indent + "0" + _BLANK.sub(" ", found.group()[len(indent) + 1 :])

    if head is not None:
        text = head.group(1) + _BLANK.sub(" ", head.group(2)) + text[head.end() :]
    if not _is_python(text):
        text = _MAGIC.sub(nothing, text)
        text = _CAPTURED.sub(lambda found: found.group(1) + "_" + _BLANK.sub(" ", found.group(2)[1:]), text)
        text = _HELP.sub(lambda found: found.group(1) + "0" + _BLANK.sub(" ", found.group(2)[1:]), text)
    units.append(Source(code.path, text, code.parent, None, code.segments))


def _is_python(text: str) -> bool:
    """Whether a cell needs no translation: lines like magics may stand inside its strings."""
    if not any(pattern.search(text) for pattern in (_MAGIC, _CAPTURED, _HELP)):
        return True
    try:
        syntax(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
