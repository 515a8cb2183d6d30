"""Values while a script is evaluated: texts made of known and unknown pieces, each with the place it came from."""

from __future__ import annotations

from collections.abc import Iterable

from grpolint.documents.source import Source, Span
from grpolint.launch import Part, Word
from grpolint.values import Origin

__all__ = [
    "EMPTY",
    "OPEN",
    "ComposedSource",
    "Element",
    "Piece",
    "Text",
    "assigned",
    "concatenate",
    "cut",
    "find",
    "from_word",
    "known",
    "length",
    "literal",
    "pattern",
    "place_of",
    "reason_of",
    "split_lines",
    "strip_trailing_newlines",
    "to_word",
    "unknown",
]

MAX_TEXT = 200_000
"""Longest value, in characters; a longer one is unknown. Keeps doubling strings from filling the memory."""
_MAX_PIECES = 400


class Piece:
    """A stretch of a value: known `text`, or `unknown` with its reason.

    `at` is the place where exactly these characters stand, if there is one. `origins` run from use to literal; they
    are empty for text that stands in the word being expanded itself. `alternatives` are the possible texts of an
    unknown; pieces of the same `group` choose theirs together, by index (the arms of one branch).
    """

    __slots__ = ("alternatives", "at", "group", "origins", "symbolic", "text", "unknown")

    def __init__(  # noqa: PLR0917 - made in the hottest places, where keywords cost
        self,
        text: str,
        unknown: str | None = None,
        origins: tuple[Origin, ...] = (),
        at: Span | None = None,
        alternatives: tuple[str, ...] = (),
        symbolic: bool = False,
        group: int = 0,
    ) -> None:
        self.text = text
        self.unknown = unknown
        self.origins = origins
        self.at = at
        self.alternatives = alternatives
        self.symbolic = symbolic
        self.group = group

    def with_origins(self, origins: tuple[Origin, ...]) -> Piece:
        """The same piece with another chain of origins."""
        return Piece(self.text, self.unknown, origins, self.at, self.alternatives, self.symbolic, self.group)

    def slice(self, start: int, end: int) -> Piece:
        """The known characters from `start` to `end`, with their place narrowed to them."""
        if start <= 0 and end >= len(self.text):
            return self
        at, origins = self.at, self.origins
        if at is not None:
            at = Span(at.source, at.start + start, at.start + end)
            if origins:
                last = origins[-1]
                origins = (*origins[:-1], Origin(last.what, at, last.detail))
        return Piece(self.text[start:end], None, origins, at)

    def same(self, other: Piece) -> bool:
        """Whether both say the same, wherever it came from."""
        return (
            self.text == other.text
            and self.unknown == other.unknown
            and self.alternatives == other.alternatives
            and self.group == other.group
        )

    def __repr__(self) -> str:
        return f"<{self.unknown}>" if self.unknown is not None else repr(self.text)


Text = tuple[Piece, ...]
"""A value. The empty tuple is the empty text."""

EMPTY: Text = ()
OPEN = Piece("")
"""Stands where the caller of the script may add arguments (`"$@"`). Adds no character."""


class Element:
    """One word after expansion, or one element of an array."""

    __slots__ = ("condition", "loose", "span", "text")

    def __init__(self, text: Text, span: Span | None, condition: str | None = None, loose: bool = False) -> None:
        self.text = text
        self.span = span
        self.condition = condition
        self.loose = loose
        """Whether it is an unquoted value that nobody sets or a command prints, and so may be any number of words."""


class ComposedSource(Source):
    """A script made of a value (`eval "$CMD"`): its characters lead back to the pieces they came from.

    Each unknown piece stands as one character of the private use area, and so is an ordinary character of a word.
    """

    __slots__ = ("pieces", "starts")

    def __init__(self, path: str, text: Text, parent: Span | None) -> None:
        parts: list[str] = []
        self.starts: list[int] = []
        self.pieces: list[Piece] = []
        at = 0
        for piece in text:
            if piece.unknown is None and not piece.text:
                continue
            self.starts.append(at)
            self.pieces.append(piece)
            part = piece.text if piece.unknown is None else "\ue0f7"
            parts.append(part)
            at += len(part)
        places = [piece.at for piece in self.pieces if piece.at is not None]
        segments: list[tuple[int, int, int]] = []
        if places:
            # The text stands in a file, in one stretch or several: each character leads to its place there.
            place = places[0]
            last = place.start
            for start, piece in zip(self.starts, self.pieces):
                if piece.at is not None and piece.at.source is place.source:
                    segments.append((start, piece.at.start, piece.at.end))
                    last = piece.at.end
                else:
                    segments.append((start, last, last))
            parent = place
        super().__init__(path, "".join(parts), parent, None, tuple(segments))

    def text_at(self, start: int, end: int) -> Text:
        """The pieces of the characters from `start` to `end`."""
        import bisect

        found: list[Piece] = []
        index = max(bisect.bisect_right(self.starts, start) - 1, 0)
        while index < len(self.pieces) and self.starts[index] < end:
            piece, begin = self.pieces[index], self.starts[index]
            if piece.unknown is not None:
                found.append(piece)
            else:
                found.append(piece.slice(max(start - begin, 0), min(end - begin, len(piece.text))))
            index += 1
        return tuple(found)


def literal(text: str) -> Text:
    """A known text that stands in no document."""
    return (Piece(text),) if text else ()


def unknown(reason: str, symbolic: bool = False, span: Span | None = None, what: str = "expression") -> Text:
    """One unknown; `span` is the expansion that made it."""
    return (Piece("", reason, (Origin(what, span),) if span is not None else (), None, (), symbolic),)


def known(text: Text) -> str | None:
    """The whole text if every piece is known, else None."""
    if len(text) == 1:
        only = text[0]
        return only.text if only.unknown is None else None
    for piece in text:
        if piece.unknown is not None:
            return None
    return "".join([piece.text for piece in text])


def reason_of(text: Text) -> str:
    """Reason of the first unknown piece, "" if there is none."""
    return next((piece.unknown for piece in text if piece.unknown is not None), "")


def length(text: Text) -> int:
    """Number of known characters."""
    return sum(len(piece.text) for piece in text)


def pattern(text: Text) -> str:
    """The text with unknowns as `<reason>`."""
    return "".join(piece.text if piece.unknown is None else f"<{piece.unknown}>" for piece in text)


def concatenate(parts: Iterable[Text]) -> Text:
    """Values one after the other, kept within bounds."""
    found: list[Piece] = []
    for part in parts:
        found.extend(part)
    if (
        len(found) > _MAX_PIECES
        or (len(found) > 8 and length(tuple(found)) > MAX_TEXT)
        or (sum(len(piece.text) for piece in found) > MAX_TEXT)
    ):
        return _compacted(found)
    return tuple(found)


def _compacted(pieces: list[Piece]) -> Text:
    found: list[Piece] = []
    run: list[Piece] = []

    def flush() -> None:
        if run:
            found.append(Piece("".join(piece.text for piece in run), None, run[0].origins))
            run.clear()

    for piece in pieces:
        if piece.unknown is None:
            run.append(piece)
        else:
            flush()
            found.append(piece)
    flush()
    if len(found) > _MAX_PIECES or length(tuple(found)) > MAX_TEXT:
        return unknown("computed:too long")
    return tuple(found)


def cut(text: Text, start: int, end: int) -> Text:
    """Characters from `start` to `end` of a text, in which an unknown piece counts as no character."""
    found: list[Piece] = []
    at = 0
    for piece in text:
        stop = at + len(piece.text)
        if piece.unknown is not None:
            if start <= at <= end:
                found.append(piece)
        elif stop > start and at < end:
            found.append(piece.slice(max(start - at, 0), min(end - at, len(piece.text))))
        at = stop
    return tuple(found)


def find(text: Text, characters: str) -> tuple[int, int] | None:
    """Piece index and offset of the first of `characters` in known text."""
    for index, piece in enumerate(text):
        if piece.unknown is None:
            places = [at for char in characters if (at := piece.text.find(char)) >= 0]
            if places:
                return index, min(places)
    return None


def place_of(name: str | None) -> Text:
    """What `which NAME` prints: nobody knows where the program is, or whether it is there, but only what it is called."""
    return (Piece("", "command:which", (), None, (f"/{name}",) if name and "/" not in name else ()),)


def strip_trailing_newlines(text: Text) -> Text:
    """What a command substitution does to its output."""
    found = list(text)
    if found and found[-1].alternatives:
        last = found[-1]
        texts = tuple(each.rstrip("\n") for each in last.alternatives)
        found[-1] = Piece("", last.unknown, last.origins, None, texts, last.symbolic, last.group)
    while found and found[-1].unknown is None:
        last = found[-1]
        stripped = last.text.rstrip("\n")
        if stripped == last.text and stripped:
            break
        found.pop()
        if stripped:
            found.append(last.slice(0, len(stripped)))
            break
    return tuple(found)


def split_lines(text: Text, delimiter: str = "\n") -> list[Text]:
    """Lines of a text without their ends; a last line without an end counts if it is not empty."""
    lines: list[Text] = []
    line: list[Piece] = []
    for piece in text:
        if piece.unknown is not None or delimiter not in piece.text:
            if piece.text or piece.unknown is not None:
                line.append(piece)
            continue
        at = 0
        while True:
            stop = piece.text.find(delimiter, at)
            if stop < 0:
                break
            if stop > at:
                line.append(piece.slice(at, stop))
            lines.append(tuple(line))
            line = []
            at = stop + len(delimiter)
        if at < len(piece.text):
            line.append(piece.slice(at, len(piece.text)))
    if line:
        lines.append(tuple(line))
    return lines


def assigned(text: Text, span: Span, name: str, what: str = "variable") -> Text:
    """A value as the variable `name` holds it: each piece gets the assignment as its first origin.

    `what` is `fallback` where the value is what `${name:-...}` gives because nobody sets the variable.

    Text of the assignment itself points at exactly its characters, or at the whole value where it was composed.
    """
    found: list[Piece] = []
    for piece in text:
        if piece is OPEN:
            found.append(piece)
        elif piece.origins:
            found.append(piece.with_origins((Origin(what, span, name), *piece.origins[:6])))
        else:
            found.append(piece.with_origins((Origin(what, piece.at if piece.at is not None else span, name),)))
    return tuple(found)


def to_word(element: Element) -> Word:
    """An expanded word as launches hold it: adjacent known pieces are one part."""
    span, text = element.span, element.text
    head: tuple[Origin, ...] = ()
    if span is not None:
        start = text[0].text if text and text[0].unknown is None else ""
        what = "flag" if start.startswith("-") else "override" if "=" in start else "argument"
        head = (Origin(what, span),)
    if len(text) == 1:
        only = text[0]
        return Word((_part(only, head + only.origins),), span, element.condition)
    parts: list[Part] = []
    run: list[Piece] = []
    for piece in text:
        if piece.unknown is None:
            run.append(piece)
            continue
        if run:
            parts.append(_joined(run, head))
            run = []
        parts.append(_part(piece, head + piece.origins))
    if run or not parts:
        parts.append(_joined(run, head))
    if len(parts) > 1:
        parts = [part for part in parts if part.text != ""]
    return Word(tuple(parts), span, element.condition)


def _part(piece: Piece, origins: tuple[Origin, ...]) -> Part:
    if piece.unknown is None:
        return Part(piece.text, None, origins)
    alternatives = tuple(dict.fromkeys(piece.alternatives))
    return Part(None, piece.unknown, origins, alternatives, piece.symbolic)


def _joined(run: list[Piece], head: tuple[Origin, ...]) -> Part:
    origins = head
    for piece in run:
        if piece.origins:
            origins += piece.origins
    return Part("".join(piece.text for piece in run), None, tuple(dict.fromkeys(origins)))


def from_word(word: Word) -> Text:
    """The pieces of a launch's word, for text that is read as a script again."""
    found: list[Piece] = []
    for part in word.parts:
        if part.unknown is not None:
            found.append(Piece("", part.unknown, part.origins, None, part.alternatives, part.symbolic))
            continue
        text = part.text or ""
        at = None
        last = part.origins[-1].span if part.origins else None
        if last is not None:
            written = last.text
            if written == text:
                at = last
            elif len(written) == len(text) + 2 and written[0] in "\"'" and written[1:-1] == text:
                at = Span(last.source, last.start + 1, last.end - 1)
        found.append(Piece(text, None, part.origins, at))
    return tuple(found)
