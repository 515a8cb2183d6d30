"""Excerpts: the lines of a source that a finding is about, with carets below them and a few words beside those."""

from __future__ import annotations

from grpolint.documents.source import Source, Span
from grpolint.findings import Label
from grpolint.records import Record
from grpolint.report.terminal import Paint, cells, visible

__all__ = ["excerpt", "gutter_width", "place"]

NEAR = 3
"""Lines of the same file at most this far apart are shown together, in the order of the file."""

CONTEXT = 24
"""Columns kept before the first mark where a long line is cropped."""


class _Mark(Record):
    """Characters `start` to `end` of one line, with the text of the label that ends there."""

    start: int
    end: int
    text: str
    primary: bool


class _Page(Record):
    """How the lines of one excerpt are drawn: digits of the gutter, colours, columns."""

    width: int
    paint: Paint
    role: str
    limit: int

    @property
    def gutter(self) -> str:
        return self.paint(" " * (self.width + 1) + "|", "gutter")


def place(span: Span) -> Span:
    """The span in the file on disk that shows best where `span` is.

    In a quoted script or an expanded here-document characters do not correspond to those of the file; there the
    same text is looked for inside the outer span, and taken if it stands there exactly once.
    """
    outer, text = span.outer(), span.text
    around = outer.text
    if not text or around == text or around.count(text) != 1:
        return outer
    start = outer.start + around.index(text)
    return Span(outer.source, start, start + len(text))


def gutter_width(labels: tuple[Label, ...]) -> int:
    """Digits of the largest line number that an excerpt of these labels shows."""
    last = 1
    for label in labels:
        span = place(label.span)
        last = max(last, span.source.position(max(span.start, span.end - 1))[0])
    return len(str(last))


def excerpt(labels: tuple[Label, ...], paint: Paint, role: str, limit: int) -> list[str]:
    """Lines of an excerpt. The first label is the primary one; `role` colours it; `limit` is the width in columns.

    Other files get a block of their own. In each file the lines around the first label come first.
    """
    page = _Page(gutter_width(labels), paint, role, limit)
    labels = _masked(labels)
    files: dict[str, list[tuple[Span, str, bool]]] = {}
    for index, label in enumerate(labels):
        span = place(label.span)
        files.setdefault(span.source.path, []).append((span, label.text, index == 0))
    out = []
    for number, (path, spans) in enumerate(files.items()):
        first = spans[0][0]
        line, column = first.source.position(first.start)
        arrow = paint(" " * page.width + ("-->" if number == 0 else ":::"), "gutter")
        out.append(f"{arrow} {visible(path)}:{line}:{column}")
        out.append(page.gutter)
        out.extend(_block(first.source, spans, line, page))
    return out


def _masked(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels on sources in which the characters of secrets are stars, all but the first four."""
    texts: dict[str, str] = {}
    for label in labels:
        if label.secret:
            span = place(label.span)
            text = texts.get(span.source.path, span.source.text)
            shown = min(span.start + 4, span.end)
            texts[span.source.path] = text[:shown] + "*" * (span.end - shown) + text[span.end :]
    if not texts:
        return labels
    sources = {path: Source(path, text) for path, text in texts.items()}
    spans = (place(label.span) for label in labels)
    return tuple(
        Label(Span(sources.get(span.source.path, span.source), span.start, span.end), label.text)
        for label, span in zip(labels, spans)
    )


def _block(source: Source, spans: list[tuple[Span, str, bool]], first: int, page: _Page) -> list[str]:
    lines: dict[int, list[_Mark]] = {}
    for span, text, primary in spans:
        for line, mark in _marks(span, text, primary):
            marks = lines.setdefault(line, [])
            if mark not in marks:
                marks.append(mark)
    out: list[str] = []
    before: int | None = None
    for line in _order(sorted(lines), first):
        if before is not None and line == before + 2:
            out.extend(_shown_line(source, before + 1, [], page))
        elif before is not None and line > before + 2:
            out.append(page.paint("...", "gutter"))
        elif before is not None and line < before:
            out.append(page.gutter)
        out.extend(_shown_line(source, line, lines[line], page))
        before = line
    return out


def _order(lines: list[int], first: int) -> list[int]:
    """The group of lines around `first`, then the others, each group in the order of the file."""
    groups: list[list[int]] = []
    for line in lines:
        if groups and line - groups[-1][-1] <= NEAR:
            groups[-1].append(line)
        else:
            groups.append([line])
    groups.sort(key=lambda group: first not in group)
    return [line for group in groups for line in group]


def _marks(span: Span, text: str, primary: bool) -> list[tuple[int, _Mark]]:
    """The marks of a span: one, or one on its first and one on its last line."""
    source = span.source
    end = max(span.end, span.start)
    while end > span.start + 1 and source.text[end - 1 : end] in ("\n", "\r"):
        end -= 1
    line, column = source.position(span.start)
    last, last_column = source.position(end)
    start = column - 1
    if last == line:
        return [(line, _Mark(start, max(last_column - 1, start + 1), text, primary))]
    whole = len(source.line_text(line))
    below = source.line_text(last)
    indent = min(len(below) - len(below.lstrip()), max(last_column - 2, 0))
    return [
        (line, _Mark(start, max(whole, start + 1), "", primary)),
        (last, _Mark(indent, max(last_column - 1, indent + 1), text, primary)),
    ]


def _shown_line(source: Source, line: int, marks: list[_Mark], page: _Page) -> list[str]:
    texts, columns = cells(source.line_text(line))
    end = len(texts)

    def column(character: int) -> int:
        return columns[character] if character <= end else columns[end] + character - end

    drawn = [_Mark(column(m.start), max(column(m.end), column(m.start) + 1), m.text, m.primary) for m in marks]
    shown, shift = _crop(texts, columns, drawn, page.limit)
    head = page.paint(str(line).rjust(page.width) + " |", "gutter")
    out = [f"{head} {shown}".rstrip()]
    if drawn:
        right = len(shown) if shown.isascii() else page.limit
        drawn = [_Mark(max(m.start - shift, 0), max(m.end - shift, 1), m.text, m.primary) for m in drawn]
        if columns[end] > page.limit:
            drawn = [_Mark(min(m.start, right - 1), min(m.end, right), m.text, m.primary) for m in drawn]
        out.extend(f"{page.gutter} {row}".rstrip() for row in _rows(drawn, page.paint, page.role))
    return out


def _crop(texts: list[str], columns: list[int], marks: list[_Mark], limit: int) -> tuple[str, int]:
    """The part of a line that fits into `limit` columns, and how many columns it was moved to the left."""
    if columns[-1] <= limit:
        return "".join(texts), 0
    focus = next((mark for mark in marks if mark.primary), marks[0] if marks else _Mark(0, 1, "", False))
    left = 0
    if focus.end > limit - 3:
        wanted = max(focus.start - CONTEXT, 0)
        left = next(index for index, column in enumerate(columns) if column >= wanted)
    dots = "..." if left else ""
    room = limit - len(dots)
    right = left
    while right < len(texts) and columns[right + 1] - columns[left] <= room:
        right += 1
    tail = ""
    if right < len(texts):
        tail = "..."
        while right > left and columns[right] - columns[left] > room - 3:
            right -= 1
    return dots + "".join(texts[left:right]) + tail, columns[left] - len(dots)


def _rows(marks: list[_Mark], paint: Paint, role: str) -> list[str]:
    """The rows below a line: the carets with the text of the rightmost label, then the other texts hanging down."""
    roles = {True: role, False: "secondary"}
    carets: dict[int, tuple[str, bool]] = {}
    for mark in sorted(marks, key=lambda m: m.primary):
        for column in range(mark.start, mark.end):
            carets[column] = ("^" if mark.primary else "-", mark.primary)
    row = _paint_row(carets, paint, roles)
    said = sorted((mark for mark in marks if mark.text), key=lambda m: (m.start, m.end), reverse=True)
    hanging = said
    if said and all(other.end <= said[0].end for other in marks):
        row += " " + paint(visible(said[0].text), roles[said[0].primary])
        hanging = said[1:]
    rows = [row]
    if hanging:
        rows.append(_paint_row({mark.start: ("|", mark.primary) for mark in hanging}, paint, roles))
    for index, mark in enumerate(hanging):
        bars = {other.start: ("|", other.primary) for other in hanging[index + 1 :] if other.start < mark.start}
        lead = _paint_row(bars, paint, roles, upto=mark.start)
        rows.append(lead + paint(visible(mark.text), roles[mark.primary]))
    return rows


def _paint_row(carets: dict[int, tuple[str, bool]], paint: Paint, roles: dict[bool, str], upto: int = 0) -> str:
    """A row of marks by column, painted in stretches of one colour, padded to `upto` columns."""
    end = max(max(carets, default=-1) + 1, upto)
    out, run, kind = [], "", None
    for column in range(end):
        char, primary = carets.get(column, (" ", None))
        if primary != kind:
            out.append(paint(run, roles[kind]) if kind is not None else run)
            run, kind = "", primary
        run += char
    out.append(paint(run, roles[kind]) if kind is not None else run)
    return "".join(out)
