"""Words to fields: all expansions of bash in their order, over values that may be partly unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grpolint.documents.source import Span
from grpolint.shell.braces import brace_words
from grpolint.shell.parameters import Parameters
from grpolint.shell.patterns import Pattern
from grpolint.shell.pieces import (
    EMPTY,
    OPEN,
    ComposedSource,
    Element,
    Piece,
    Text,
    assigned,
    concatenate,
    known,
    unknown,
)
from grpolint.shell.syntax import Arithmetic, Literal, Parameter, Process, Substitution, Word, WordPiece

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["Expander", "merge_loose", "split_fields"]

_BLANKS = " \t\n"
_FIELD = re.compile(r"[^ \t\n]+")
_MAX_FIELDS = 20_000


class _Fields:
    """Fields under construction: quoted text joins, unquoted text is split at the separators."""

    __slots__ = ("found", "open", "pieces", "plain", "separators", "span", "started")

    def __init__(self, span: Span | None, separators: str) -> None:
        self.span = span
        self.separators = separators
        self.found: list[Element] = []
        self.pieces: list[Piece] = []
        self.started = False
        self.plain = True
        self.open = False

    def add(self, text: Text) -> None:
        """Add quoted text, which starts a field even if it is empty."""
        self.started = True
        self.plain = False
        for piece in text:
            if piece is OPEN:
                self.open = True
            else:
                self.pieces.append(piece)

    def add_unquoted(self, text: Text) -> None:
        """Add the result of an unquoted expansion."""
        separators = self.separators
        for piece in text:
            if piece is OPEN:
                self.open = True
            elif piece.unknown is not None:
                self.started = True
                self.pieces.append(piece)
            elif piece.text:
                self._split(piece, separators)

    def _split(self, piece: Piece, separators: str) -> None:
        text = piece.text
        if separators == _BLANKS:
            self._split_at_blanks(piece)
            return
        at, size = 0, len(text)
        while at < size:
            if text[at] in separators:
                if self.started:
                    self.flush()
                elif text[at] not in _BLANKS:
                    self.found.append(Element(EMPTY, self.span))
                blank = text[at] in _BLANKS
                at += 1
                while at < size and text[at] in separators and (text[at] in _BLANKS or blank):
                    blank = blank and text[at] in _BLANKS
                    at += 1
                continue
            stop = at
            while stop < size and text[stop] not in separators:
                stop += 1
            self.started = True
            self.pieces.append(piece.slice(at, stop))
            at = stop

    def _split_at_blanks(self, piece: Piece) -> None:
        text = piece.text
        at = 0
        for match in _FIELD.finditer(text):
            start = match.start()
            if start > at and self.started:
                self.flush()
            at = match.end()
            self.started = True
            self.pieces.append(piece.slice(start, at))
        if at < len(text) and self.started:
            self.flush()

    def splice(self, elements: Sequence[Element]) -> None:
        """Add `"${array[@]}"`: the first joins what stands before it, the last what follows."""
        for index, element in enumerate(elements):
            if index:
                self.flush()
            self.add(element.text)

    def flush(self) -> None:
        """End the field under construction, if any."""
        if not self.started:
            return
        pieces, self.pieces, self.started = self.pieces, [], False
        plain, self.plain = self.plain, True
        if plain and len(pieces) == 1 and pieces[0].alternatives and self._conditional(pieces[0]):
            return
        loose = plain and len(pieces) == 1 and _may_be_several(pieces[0])
        self.found.append(Element(tuple(pieces), self.span, None, loose))

    def _conditional(self, piece: Piece) -> bool:
        """An unquoted value that is empty in all arms of a branch but one: words that are there only in that arm."""
        filled = [text for text in dict.fromkeys(piece.alternatives) if text.strip(_BLANKS)]
        if len(filled) != 1 or all(text.strip(_BLANKS) for text in piece.alternatives):
            return False
        text = filled[0]
        place = next((o.span for o in reversed(piece.origins) if o.span is not None and o.span.text == text), None)
        whole = Piece(text, None, piece.origins, place)
        inner = _Fields(self.span, self.separators)
        inner.add_unquoted((whole,))
        inner.flush()
        self.found.extend(Element(each.text, each.span, piece.unknown) for each in inner.found)
        return True


def _unsplit(piece: Piece, separators: str) -> bool:
    """Whether a piece is known, not empty and holds no separator."""
    return piece.unknown is None and bool(piece.text) and not any(each in separators for each in piece.text)


def _may_be_several(piece: Piece) -> bool:
    """Whether a value that is not quoted may be any number of words: nobody sets it, or a command prints it."""
    reason = piece.unknown
    return reason is not None and not piece.symbolic and reason.startswith((*_UNSET, "command:"))


_UNSET = ("env:", "argument:$")


def _is_env(element: Element, given: frozenset[str]) -> bool:
    return (element.text[0].unknown or "").startswith("env:") and not _is_given(element, given)


def _is_given(element: Element, given: frozenset[str]) -> bool:
    return (element.text[-1].unknown or "")[4:] in given


def merge_loose(elements: list[Element], given: frozenset[str]) -> list[Element]:
    """Join words that are unquoted unset variables to the unknown word before them: together they are one stretch of
    which nobody knows how many words it has. `given` are variables that the script refuses to do without.
    """
    found: list[Element] = []
    for element in elements:
        last = found[-1] if found else None
        if (
            element.loose
            and last is not None
            and last.loose
            and (last.text[-1].unknown or "").startswith(_UNSET)
            and _is_env(element, given)
            and not _is_given(last, given)
            and element.span is not None
            and last.span is not None
            and element.span.source is last.span.source
        ):
            span = Span(last.span.source, last.span.start, max(element.span.end, last.span.end))
            found[-1] = Element((*last.text, *element.text), span, last.condition, True)
        else:
            found.append(element)
    return found


def split_fields(text: Text, span: Span | None, separators: str = _BLANKS) -> list[Element]:
    """A value split into words at the separators, as an unquoted expansion is."""
    fields = _Fields(span, separators)
    fields.add_unquoted(text)
    fields.flush()
    return fields.found


class Expander(Parameters):
    """Expands the words of one script. `open_seen` tells whether `"$@"` of the caller stood among them."""

    def __init__(self, shell: Evaluator) -> None:
        super().__init__(shell)
        self.open_seen = False

    def fields(self, words: Sequence[Word]) -> list[Element]:
        """The fields that the words become."""
        found: list[Element] = []
        for word in words:
            self.field(word, found)
        return found

    def field(self, word: Word, found: list[Element]) -> None:
        """Append the fields of one word."""
        source = self.shell.source
        if word.literal is not None and type(source) is not ComposedSource:
            pieces = word.pieces
            if not pieces:
                return
            first = pieces[0]
            span = Span(source, word.start, word.end)
            at = None
            if len(pieces) == 1 and first.end - first.start == len(word.literal):
                at = span if first.start == word.start else Span(source, first.start, first.end)
            found.append(Element((Piece(word.literal, None, (), at),), span))
            return
        if not word.braces:
            self._field(word, found)
        else:
            for each in brace_words(word):
                self._field(each, found)
        if len(found) > _MAX_FIELDS:
            del found[_MAX_FIELDS:]

    def _field(self, word: Word, found: list[Element]) -> None:
        span = Span(self.shell.source, word.start, word.end)
        fields = _Fields(span, self.shell.separators())
        pieces = word.pieces
        if len(pieces) == 1 and type(pieces[0]) is Parameter:
            only = pieces[0]
            elements = self.elements(only)
            if elements is not None and not self.joins(only):
                # The elements themselves, with the places where they are written.
                if only.quoted:
                    found.extend(elements)
                else:
                    self._unquoted(elements, only.name, fields, found)
                return
        self._add_pieces(word, fields)
        fields.flush()
        self.open_seen = self.open_seen or fields.open
        found.extend(fields.found)

    def _unquoted(self, elements: Sequence[Element], name: str, fields: _Fields, found: list[Element]) -> None:
        """The fields of `${array[@]}`: an element that nothing splits stays where it is written."""
        for element in elements:
            if (
                element.span is not None
                and element.text
                and all(_unsplit(each, fields.separators) for each in element.text)
            ):
                found.append(element)
                continue
            text = element.text
            fields.add_unquoted(assigned(text, element.span, name) if element.span is not None else text)
            fields.flush()
            found.extend(fields.found)
            fields.found = []
        self.open_seen = self.open_seen or fields.open

    def _add_pieces(self, word: Word, fields: _Fields) -> None:
        pieces: Sequence[WordPiece] = word.pieces
        if pieces and type(pieces[0]) is Literal and not pieces[0].quoted and pieces[0].text.startswith("~"):
            text = self._tilde(pieces[0])
            fields.add_unquoted(text)
            pieces = pieces[1:]
        for piece in pieces:
            if type(piece) is Literal:
                text = self.literal(piece)
                if piece.quoted:
                    fields.add(text)
                else:
                    fields.add_unquoted(text)
            elif type(piece) is Parameter:
                self._add_parameter(piece, fields)
            elif piece.quoted:
                fields.add(self.piece(piece))
            else:
                fields.add_unquoted(self.piece(piece))

    def _add_parameter(self, piece: Parameter, fields: _Fields) -> None:
        elements = self.elements(piece)
        if elements is not None:
            if self.joins(piece):
                fields.add(self.join(elements))
            elif piece.quoted:
                fields.splice(elements)
            else:
                for index, element in enumerate(elements):
                    if index:
                        fields.flush()
                    text = element.text
                    fields.add_unquoted(assigned(text, element.span, piece.name) if element.span is not None else text)
            return
        if not piece.quoted and piece.operator in (":-", "-", ":+", "+", ":=", "="):
            chosen = self.choose(piece)
            if isinstance(chosen, Word):
                # The default is split like the rest of the word, except for what is quoted inside it.
                inner = _Fields(fields.span, fields.separators)
                self._add_pieces(chosen, inner)
                self._take(inner, fields, piece, chosen)
                return
            fields.add_unquoted(chosen)
            return
        text = self.parameter(piece)
        if piece.quoted:
            fields.add(text)
        else:
            fields.add_unquoted(text)

    def _take(self, inner: _Fields, fields: _Fields, piece: Parameter, chosen: Word) -> None:
        """Move the fields of a default value into those of its word."""
        span = Span(self.shell.source, chosen.start, chosen.end)
        named = piece.operator not in (":+", "+")
        fields.open = fields.open or inner.open
        for element in inner.found:
            text = assigned(element.text, span, piece.name, "fallback") if named else element.text
            if fields.started:
                fields.pieces.extend(text)
                fields.flush()
            else:
                fields.found.append(Element(text, element.span, element.condition))
        if inner.started:
            pieces = assigned(tuple(inner.pieces), span, piece.name, "fallback") if named else tuple(inner.pieces)
            fields.pieces.extend(pieces)
            fields.started = True
            fields.plain = fields.plain and inner.plain
            if named and piece.operator in (":=", "="):
                self.shell.assign_text(piece.name, pieces)

    def value(self, word: Word) -> Text:
        """The value of a word that is not split: an assignment, a redirection target, the subject of `case`."""
        source = self.shell.source
        pieces: Sequence[WordPiece] = word.pieces
        if word.literal is not None and type(source) is not ComposedSource:
            if not pieces:
                return EMPTY
            first = pieces[0]
            if len(pieces) == 1 and first.end - first.start == len(word.literal):
                return (Piece(word.literal, None, (), Span(source, first.start, first.end)),)
            return (Piece(word.literal),)
        parts: list[Text] = []
        if pieces and type(pieces[0]) is Literal and not pieces[0].quoted and pieces[0].text.startswith("~"):
            parts.append(self._tilde(pieces[0]))
            pieces = pieces[1:]
        parts.extend(self.piece(piece) for piece in pieces)
        return concatenate(parts)

    def value_of_pieces(self, pieces: Sequence[WordPiece]) -> Text:
        """The text of a here-document."""
        self.shell.spend(len(pieces) // 4)
        return concatenate([self.piece(piece) for piece in pieces])

    def piece(self, piece: WordPiece) -> Text:
        """The value of one piece of a word."""
        kind = type(piece)
        if kind is Literal:
            return self.literal(piece)  # type: ignore[arg-type]
        if kind is Parameter:
            elements = self.elements(piece)  # type: ignore[arg-type]
            if elements is not None:
                return self.join(elements, "" if self.joins(piece) else " ")  # type: ignore[arg-type]
            return self.parameter(piece)  # type: ignore[arg-type]
        if kind is Substitution:
            return self.shell.substitution(piece)  # type: ignore[arg-type]
        if kind is Arithmetic:
            return self.arithmetic(piece.expression, piece)  # type: ignore[union-attr]
        assert isinstance(piece, Process)
        return self.shell.process(piece)

    def literal(self, piece: Literal) -> Text:
        """The text of a literal with its place; in a composed script, the pieces it was composed of."""
        source = self.shell.source
        exact = piece.end - piece.start == len(piece.text)
        if type(source) is ComposedSource and exact:
            return source.text_at(piece.start, piece.end)
        return (Piece(piece.text, None, (), Span(source, piece.start, piece.end) if exact else None),)

    def _tilde(self, piece: Literal) -> Text:
        user, slash, _ = piece.text.partition("/")
        source = self.shell.source
        if user == "~":
            home = self.lookup("HOME")
            if home is None:
                home = unknown("env:HOME", symbolic=True, span=Span(source, piece.start, piece.start + 1))
        elif user == "~+":
            home = self.shell.working_directory()
        else:
            return self.literal(piece)
        if not slash:
            return home
        start = piece.start + len(user)
        rest = piece.text[len(user) :]
        at = Span(source, start, piece.end) if piece.end - start == len(rest) else None
        return (*home, Piece(rest, None, (), at))

    def pattern(self, word: Word) -> Pattern | None:
        """A word as a pattern; None if a part of it is unknown."""
        pieces: list[tuple[str, bool]] = []
        for piece in word.pieces:
            text = known(self.shell.in_scenario(self.piece(piece)))
            if text is None:
                return None
            pieces.append((text, piece.quoted))
        return Pattern(pieces)
