"""Brace expansion: `{a,b}` and `{1..8..2}`, before all other expansions."""

from __future__ import annotations

from grpolint.regex import regex
from grpolint.shell.syntax import Literal, Word, WordPiece

__all__ = ["brace_words"]

_MAX_WORDS = 1000
_RANGE = regex(r"(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?")

_Item = tuple[str, int] | WordPiece
"""One unquoted character with its offset, or a piece that braces do not look into."""


def brace_words(word: Word) -> list[Word]:
    """The words that one word becomes; itself alone if it has no brace expansion."""
    if not _may_expand(word):
        return [word]
    items: list[_Item] = []
    for piece in word.pieces:
        if type(piece) is Literal and not piece.quoted and piece.end - piece.start == len(piece.text):
            items.extend((char, piece.start + index) for index, char in enumerate(piece.text))
        else:
            items.append(piece)
    if len(items) > 4000:
        return [word]
    expanded = _expand(items, 0)
    if expanded[0] is items:
        return [word]
    return [_word(each, word) for each in expanded[:_MAX_WORDS]]


def _may_expand(word: Word) -> bool:
    opening = separator = False
    for piece in word.pieces:
        if type(piece) is Literal and not piece.quoted:
            opening = opening or "{" in piece.text
            separator = separator or "," in piece.text or ".." in piece.text
    return opening and separator


def _expand(items: list[_Item], depth: int) -> list[list[_Item]]:
    start = 0
    while True:
        opening = next((i for i in range(start, len(items)) if _char(items[i]) == "{"), None)
        if opening is None or depth > 12:
            return [items]
        found = _alternatives(items, opening)
        if found is None:
            start = opening + 1
            continue
        choices, close = found
        result: list[list[_Item]] = []
        tails = _expand(items[close + 1 :], depth + 1)
        for choice in choices:
            for middle in _expand(choice, depth + 1):
                for tail in tails:
                    result.append([*items[:opening], *middle, *tail])
                    if len(result) >= _MAX_WORDS:
                        return result
        return result


def _char(item: _Item) -> str:
    return item[0] if isinstance(item, tuple) else ""


def _alternatives(items: list[_Item], opening: int) -> tuple[list[list[_Item]], int] | None:
    """What stands between the commas of the brace at `opening`, and the index of its end; None if it is no list."""
    depth = 0
    cuts = [opening]
    for index in range(opening + 1, len(items)):
        char = _char(items[index])
        if char == "{":
            depth += 1
        elif char == "}":
            if depth == 0:
                if len(cuts) > 1:
                    ends = [*cuts[1:], index]
                    return [items[a + 1 : b] for a, b in zip(cuts, ends)], index
                return _range(items, opening, index)
            depth -= 1
        elif char == "," and depth == 0:
            cuts.append(index)
    return None


def _range(items: list[_Item], opening: int, close: int) -> tuple[list[list[_Item]], int] | None:
    inside = items[opening + 1 : close]
    match = _RANGE.fullmatch("".join(_char(item) or "\0" for item in inside))
    if match is None:
        return None
    first, last, step = match.groups()
    width = 0
    letters = first.isalpha() and last.isalpha()
    if letters:
        begin, end = ord(first), ord(last)
    elif first.isalpha() or last.isalpha() or len(first) > 18 or len(last) > 18:
        return None
    else:
        begin, end = int(first), int(last)
        if any(len(each.lstrip("-")) > 1 and each.lstrip("-").startswith("0") for each in (first, last)):
            width = max(len(first), len(last))
    stride = abs(int(step)) if step and len(step) < 18 and int(step) else 1
    count = min(abs(end - begin) // stride + 1, _MAX_WORDS)
    sign = 1 if end >= begin else -1
    values = [begin + sign * stride * index for index in range(count)]
    at = items[opening]
    offset = at[1] if isinstance(at, tuple) else 0
    texts = [chr(value) if letters else str(value).zfill(width) for value in values]
    return [[Literal(text, offset, offset, True)] for text in texts], close


def _word(items: list[_Item], word: Word) -> Word:
    pieces: list[WordPiece] = []
    for item in items:
        if not isinstance(item, tuple):
            pieces.append(item)
            continue
        char, offset = item
        last = pieces[-1] if pieces else None
        if type(last) is Literal and not last.quoted and last.end == offset and last.end - last.start == len(last.text):
            pieces[-1] = Literal(last.text + char, last.start, offset + 1, False)
        else:
            pieces.append(Literal(char, offset, offset + 1, False))
    return Word(pieces, word.start, word.end)
