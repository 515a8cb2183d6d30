"""Shell patterns: `*`, `?`, `[...]` as regular expressions, and the trims and replacements of `${...}`."""

from __future__ import annotations

import re

from grpolint.shell.pieces import EMPTY, Piece, Text, known, literal

__all__ = ["Pattern", "matches", "replace", "trim"]

_MAX_PATTERN = 2000


class Pattern:
    """A shell pattern: its regular expression and, where it has no wildcard, its plain text."""

    __slots__ = ("_compiled", "plain", "regex")

    def __init__(self, pieces: list[tuple[str, bool]]) -> None:
        """`pieces` are stretches of the pattern; a quoted one (True) stands for itself."""
        plain = all(quoted or not any(char in text for char in "*?[\\(") for text, quoted in pieces)
        self.plain: str | None = "".join(text for text, _ in pieces) if plain else None
        self.regex = (
            "" if plain else "".join(re.escape(text) if quoted else _translate(text) for text, quoted in pieces)
        )
        self._compiled: dict[str, re.Pattern[str] | None] = {}

    def compiled(self, prefix: str = "", suffix: str = "", lazy: bool = False) -> re.Pattern[str] | None:
        """The regular expression between `prefix` and `suffix`; None if Python cannot take it."""
        key = f"{prefix}\0{suffix}\0{lazy}"
        if key not in self._compiled:
            body = re.escape(self.plain) if self.plain is not None else self.regex
            if lazy:
                body = body.replace(".*", ".*?")
            try:
                usable = len(body) < _MAX_PATTERN and body.count(".*") < 8
                self._compiled[key] = re.compile(f"{prefix}(?:{body}){suffix}", re.DOTALL) if usable else None
            except (re.error, RecursionError, OverflowError):
                self._compiled[key] = None
        return self._compiled[key]


def _translate(text: str) -> str:
    """A pattern as a regular expression, with the extended forms `@(a|b)`, `?(a)`, `*(a)`, `+(a)`, `!(a)`."""
    found: list[str] = []
    at = 0
    groups: list[str] = []
    while at < len(text):
        char = text[at]
        if char in "?*+@!" and text.startswith("(", at + 1) and ")" in text[at:]:
            groups.append(char)
            found.append("(?!" if char == "!" else "(?:")
            at += 2
            continue
        if groups and char == "|":
            found.append("|")
        elif groups and char == ")":
            kind = groups.pop()
            found.append({"?": ")?", "*": ")*", "+": ")+", "@": ")", "!": ").*"}[kind])
        elif char == "*":
            if not found or found[-1] != ".*":
                found.append(".*")
        elif char == "?":
            found.append(".")
        elif char == "\\" and at + 1 < len(text):
            at += 1
            found.append(re.escape(text[at]))
        elif char == "[":
            close = text.find("]", at + 2 + text.startswith(("[!", "[^"), at))
            if close < 0:
                found.append(r"\[")
            else:
                found.append(_character_class(text[at + 1 : close]))
                at = close
                if text.startswith(":]", at - 1):
                    extra = text.find("]", at + 1)
                    if extra > 0:
                        found[-1] = _character_class(text[text.rfind("[", 0, at - 2) - 0 : extra])
                        at = extra
        else:
            found.append(re.escape(char))
        at += 1
    return "".join(found) + "".join(")" for _ in groups)


_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:blank:]": r" \t",
}


def _character_class(inside: str) -> str:
    negated = inside[:1] in "!^"
    body = inside[1:] if negated else inside
    for name, characters in _CLASSES.items():
        if name in body or body == name[1:-1] or body == name[:-1]:
            body = body.replace(name, "\0") if name in body else "\0"
            body = re.sub(r"[\[\]\\]", lambda m: "\\" + m.group(), body).replace("\0", characters)
            return f"[{'^' if negated else ''}{body}]"
    body = body.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return f"[{'^' if negated else ''}{body}]"


def matches(pattern: Pattern, text: str) -> bool | None:
    """Whether the whole text matches; None if the pattern is beyond reading."""
    if pattern.plain is not None:
        return pattern.plain == text
    compiled = pattern.compiled(suffix=r"\Z")
    return None if compiled is None else compiled.match(text) is not None


def trim(text: Text, pattern: Pattern, operator: str) -> Text | None:
    """`${X#p}`, `${X##p}`, `${X%p}`, `${X%%p}`; None where unknown pieces leave the result open."""
    whole = known(text)
    if whole is None:
        return _trim_open(text, pattern, operator)
    span = _trim_range(whole, pattern, operator)
    if span is None:
        return None
    start, end = span
    return _cut(text, start, end)


def _trim_range(whole: str, pattern: Pattern, operator: str) -> tuple[int, int] | None:
    plain = pattern.plain
    if plain is not None:
        if operator[0] == "#":
            return (len(plain) if whole.startswith(plain) else 0), len(whole)
        return 0, len(whole) - (len(plain) if plain and whole.endswith(plain) else 0)
    compiled = pattern.compiled(suffix=r"\Z")
    if compiled is None or len(whole) > 20_000:
        return None
    size = len(whole)
    if operator[0] == "#":
        ends = range(size, -1, -1) if operator == "##" else range(size + 1)
        for end in ends:
            if compiled.fullmatch(whole, 0, end):
                return end, size
        return 0, size
    starts = range(size + 1) if operator == "%%" else range(size, -1, -1)
    for start in starts:
        if compiled.match(whole, start):
            return 0, start
    return 0, size


def _trim_open(text: Text, pattern: Pattern, operator: str) -> Text | None:
    """Trims that the known end decides alone: a plain suffix or prefix, `##*/` and `%/*` beyond an unknown head."""
    plain = pattern.plain
    edge = text[0] if operator[0] == "#" else text[-1]
    if plain is not None:
        if edge.unknown is None and len(edge.text) >= len(plain):
            span = _trim_range(edge.text, pattern, operator)
            if span is None:
                return None
            piece = edge.slice(*span)
            return (piece, *text[1:]) if operator[0] == "#" else (*text[:-1], piece)
        return None
    last = text[-1]
    if operator == "##" and pattern.regex.startswith(".*") and last.unknown is None:
        tail = pattern.regex[2:]
        if len(tail.replace("\\", "")) == 1:
            at = last.text.rfind(tail[-1])
            if at >= 0:
                return (last.slice(at + 1, len(last.text)),)
    if operator == "%" and pattern.regex.endswith(".*") and last.unknown is None:
        head = pattern.regex[:-2]
        if len(head.replace("\\", "")) == 1:
            at = last.text.rfind(head[-1])
            if at >= 0:
                return (*text[:-1], last.slice(0, at)) if at else text[:-1]
    return None


def _cut(text: Text, start: int, end: int) -> Text:
    found: list[Piece] = []
    at = 0
    for piece in text:
        stop = at + len(piece.text)
        if stop > start and at < end:
            found.append(piece.slice(max(start - at, 0), min(end - at, len(piece.text))))
        at = stop
    return tuple(found)


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
    prefix = r"\A" if operator == "/#" else ""
    suffix = r"\Z" if operator == "/%" else ""
    compiled = pattern.compiled(prefix, suffix)
    if compiled is None or len(whole) > 20_000:
        return None
    if pattern.regex == ".*" and not whole:
        return EMPTY
    done = compiled.sub(lambda _: replacement, whole, count=0 if operator == "//" else 1)
    return text if done == whole else literal(done)
