"""Shell patterns: `*`, `?`, `[...]`, and the trims and replacements of `${...}` that use them.

A pattern is matched by following all its positions at once, so that no text makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from grpolint.shell.pieces import Piece, Text, cut, known, literal

__all__ = ["Pattern", "matches", "replace", "trim"]

_MAX_PATTERN = 500
_MAX_TEXT = 20_000
_MAX_SEARCHED = 2000
"""Longest text in which a pattern with wildcards is looked for at every place."""
_MAX_EXTENDED = 200
"""Longest text that a pattern with `@(a|b)` forms is tried on."""

_Token = str | tuple[bool, str] | None
"""A character, a class (negated, characters), `?` as an empty class that is negated, `*` as None."""

_CLASSES = {
    "[:alpha:]": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:digit:]": "0123456789",
    "[:alnum:]": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "[:space:]": " \t\n\r\v\f",
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:punct:]": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "[:blank:]": " \t",
    "[:xdigit:]": "0123456789abcdefABCDEF",
}


class Pattern:
    """A shell pattern. `plain` is its text if it has no wildcard, `tokens` are its parts otherwise.

    `extended` is the regular expression of a pattern with `@(a|b)` forms, which has no tokens.
    """

    __slots__ = ("extended", "plain", "tokens")

    def __init__(self, pieces: list[tuple[str, bool]]) -> None:
        """`pieces` are stretches of the pattern; a quoted one (True) stands for itself."""
        self.plain: str | None = None
        self.tokens: list[_Token] = []
        self.extended: str | None = None
        if all(quoted or not any(char in text for char in "*?[\\") for text, quoted in pieces) and not any(
            not quoted and "(" in text for text, quoted in pieces
        ):
            self.plain = "".join(text for text, _ in pieces)
            return
        if any(not quoted and re.search(r"[?*+@!]\(", text) for text, quoted in pieces):
            self.extended = "".join(re.escape(text) if quoted else _extended(text) for text, quoted in pieces)
            return
        for text, quoted in pieces:
            self.tokens.extend(text if quoted else _tokens(text))
        self.tokens = [
            token
            for index, token in enumerate(self.tokens)
            if token is not None or index == 0 or self.tokens[index - 1] is not None
        ]

    @property
    def anything(self) -> bool:
        """Whether it is `*`."""
        return self.plain is None and self.tokens == [None]

    def ends(self, text: str, reverse: bool = False) -> list[int] | None:
        """The lengths of the beginnings of a text that match (of its ends if `reverse`), shortest first.

        None if the pattern or the text is beyond reading.
        """
        if self.plain is not None:
            found = text.endswith(self.plain) if reverse else text.startswith(self.plain)
            return [len(self.plain)] if found else []
        if len(text) > _MAX_TEXT or len(self.tokens) > _MAX_PATTERN:
            return None
        if self.extended is not None:
            return self._extended_ends(text, reverse)
        tokens = self.tokens[::-1] if reverse else self.tokens
        stars = sum(1 << index for index, token in enumerate(tokens) if token is None)
        final = 1 << len(tokens)
        accepts: dict[str, int] = {}
        mask = 1
        mask |= (mask & stars) << 1
        lengths = [0] if mask & final else []
        for index, char in enumerate(reversed(text) if reverse else text):
            accept = accepts.get(char)
            if accept is None:
                accept = accepts[char] = sum(1 << i for i, token in enumerate(tokens) if _takes(token, char))
            mask = ((mask & accept) << 1) | (mask & stars)
            mask |= (mask & stars) << 1
            if not mask:
                break
            if mask & final:
                lengths.append(index + 1)
        return lengths

    def _extended_ends(self, text: str, reverse: bool) -> list[int] | None:
        if len(text) > _MAX_EXTENDED or self.extended is None or self.extended.count("*") > 4:
            return None
        try:
            compiled = re.compile(self.extended, re.DOTALL)
        except (re.error, RecursionError, OverflowError):
            return None
        size = len(text)
        if reverse:
            return [size - start for start in range(size, -1, -1) if compiled.fullmatch(text, start)]
        return [end for end in range(size + 1) if compiled.fullmatch(text, 0, end)]


def _takes(token: _Token, char: str) -> bool:
    if token is None:
        return False
    if isinstance(token, str):
        return token == char
    return (char in token[1]) != token[0]


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "*":
            found.append(None)
        elif char == "?":
            found.append((True, ""))
        elif char == "\\" and at + 1 < len(text):
            at += 1
            found.append(text[at])
        elif char == "[":
            parsed = _class(text, at)
            if parsed is None:
                found.append("[")
            else:
                token, at = parsed
                found.append(token)
        else:
            found.append(char)
        at += 1
    return found


def _class(text: str, at: int) -> tuple[tuple[bool, str], int] | None:
    """A class `[...]` that begins at `at`, and the offset of its end; None if it has none."""
    index = at + 1
    negated = text[index : index + 1] in ("!", "^")
    index += negated
    first = index
    characters: list[str] = []
    while index < len(text):
        char = text[index]
        if char == "]" and index > first:
            return (negated, "".join(characters)), index
        named = next((name for name in _CLASSES if text.startswith(name, index)), None)
        if named is not None:
            characters.append(_CLASSES[named])
            index += len(named)
            continue
        if char == "\\" and index + 1 < len(text):
            index += 1
            char = text[index]
        last = text[index + 2 : index + 3]
        if text[index + 1 : index + 2] == "-" and last not in ("]", "") and char <= last:
            characters.append("".join(chr(code) for code in range(ord(char), min(ord(last), ord(char) + 300) + 1)))
            index += 3
            continue
        characters.append(char)
        index += 1
    return None


def _extended(text: str) -> str:
    """A pattern with the forms `@(a|b)`, `?(a)`, `*(a)`, `+(a)`, `!(a)` as a regular expression."""
    found: list[str] = []
    groups: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in "?*+@!" and text.startswith("(", at + 1):
            groups.append(char)
            found.append("(?!" if char == "!" else "(?:")
            at += 2
            continue
        if groups and char == "|":
            found.append("|")
        elif groups and char == ")":
            found.append({"?": ")?", "*": ")*", "+": ")+", "@": ")", "!": ").*"}[groups.pop()])
        elif char == "*":
            found.append(".*")
        elif char == "?":
            found.append(".")
        elif char == "[" and (parsed := _class(text, at)) is not None:
            (negated, characters), at = parsed
            escaped = re.sub(r"[\[\]\\^-]", lambda m: "\\" + m.group(), characters)
            found.append(f"[{'^' if negated else ''}{escaped}]" if characters else "(?!)")
        else:
            found.append(re.escape(char))
        at += 1
    return "".join(found) + ")" * len(groups)


def matches(pattern: Pattern, text: str) -> bool | None:
    """Whether the whole text matches; None if the pattern is beyond reading."""
    if pattern.plain is not None:
        return pattern.plain == text
    ends = pattern.ends(text)
    return None if ends is None else bool(ends) and ends[-1] == len(text)


def trim(text: Text, pattern: Pattern, operator: str) -> Text | None:
    """`${X#p}`, `${X##p}`, `${X%p}`, `${X%%p}`; None where unknown pieces leave the result open."""
    whole = known(text)
    if whole is None:
        return _trim_open(text, pattern, operator)
    length = _trimmed(whole, pattern, operator)
    if length is None:
        return None
    return cut(text, length, len(whole)) if operator[0] == "#" else cut(text, 0, len(whole) - length)


def _trimmed(whole: str, pattern: Pattern, operator: str) -> int | None:
    """How many characters a trim takes away."""
    ends = pattern.ends(whole, reverse=operator[0] == "%")
    if ends is None:
        return None
    if not ends:
        return 0
    return ends[-1] if len(operator) == 2 else ends[0]


def _trim_open(text: Text, pattern: Pattern, operator: str) -> Text | None:
    """Trims that the known end decides alone: a plain suffix or prefix, `##*/` and `%/*` beyond an unknown head."""
    plain = pattern.plain
    edge = text[0] if operator[0] == "#" else text[-1]
    if plain is not None:
        if edge.unknown is not None or len(edge.text) < len(plain):
            return None
        length = _trimmed(edge.text, pattern, operator) or 0
        if operator[0] == "#":
            return (edge.slice(length, len(edge.text)), *text[1:])
        return (*text[:-1], edge.slice(0, len(edge.text) - length))
    last = text[-1]
    if last.unknown is not None or len(pattern.tokens) != 2:
        return None
    star, char = (0, 1) if operator == "##" else (1, 0)
    token = pattern.tokens[char]
    if operator in ("##", "%") and pattern.tokens[star] is None and isinstance(token, str):
        at = last.text.rfind(token)
        if at >= 0 and operator == "##":
            return (last.slice(at + 1, len(last.text)),)
        if at >= 0:
            return (*text[:-1], last.slice(0, at)) if at else text[:-1]
    return None


def replace(text: Text, pattern: Pattern, replacement: str, operator: str) -> Text | None:
    """`${X/p/r}`, `//`, `/#`, `/%`; None where unknown pieces or an odd pattern leave the result open."""
    whole = known(text)
    if pattern.plain == "":
        if operator not in ("/#", "/%"):
            return text
        return (Piece(replacement), *text) if operator == "/#" else (*text, Piece(replacement))
    if whole is None:
        return None
    if pattern.plain is not None and operator in ("/", "//"):
        if pattern.plain not in whole:
            return text
        return literal(whole.replace(pattern.plain, replacement, 1 if operator == "/" else -1))
    if operator in ("/#", "/%"):
        ends = pattern.ends(whole, reverse=operator == "/%")
        if ends is None:
            return None
        if not ends:
            return text
        rest = whole[ends[-1] :] if operator == "/#" else whole[: len(whole) - ends[-1]]
        return literal(replacement + rest if operator == "/#" else rest + replacement)
    if len(whole) > _MAX_SEARCHED:
        return None
    return _replace_found(text, whole, pattern.ends, replacement, once=operator == "/")


def _replace_found(
    text: Text, whole: str, ends: Callable[[str], list[int] | None], replacement: str, once: bool
) -> Text | None:
    """Replace the longest match at each place, from left to right."""
    if not whole:
        # Only `*` matches the empty text.
        return literal(replacement) if ends("") else text
    parts: list[str] = []
    at = 0
    changed = False
    while at < len(whole):
        found = ends(whole[at:])
        if found is None:
            return None
        if not found or found[-1] == 0:
            parts.append(whole[at])
            at += 1
            continue
        changed = True
        parts.append(replacement)
        at += found[-1]
        if once:
            break
    return literal("".join(parts) + whole[at:]) if changed else text
