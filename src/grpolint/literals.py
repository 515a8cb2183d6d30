"""Literals: the characters in a document that read as a value, and a new value written in the same way."""

from __future__ import annotations

from typing import Any

from grpolint.documents.source import Span
from grpolint.regex import regex

__all__ = ["find_literal", "placeholder", "same", "spelled_like", "yaml_number"]


_PLACEHOLDER = regex(r"<[^<>=]+>|\{\{[^{}]+\}\}|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


def placeholder(text: str) -> str:
    """What stands in a text for a value that its reader is to fill in (`<path>`, `{{ path }}`, `FP16_ENABLE`), else ''.

    Only for texts that are none of the values an option takes: some options take names in capitals.
    """
    found = _PLACEHOLDER.search(text)
    return found[0] if found is not None else ""


def find_literal(span: Span, value: Any) -> Span | None:
    """The characters within `span` that read as `value`, quotes excluded; None if that is not certain.

    `span` may cover the value alone, a word `key=value`, an entry `key: value`, a flag `--key value`, or the assignment
    `NAME=${NAME:-value}` of a shell variable.
    """
    whole = _unquoted(span)
    for candidate in (whole, *_halves(whole)):
        inner = _unquoted(candidate)
        if same(inner.text, value):
            return inner
        fallback = _fallback(inner)
        if fallback is not None and same(fallback.text, value):
            return fallback
    return None


def same(text: str, value: Any) -> bool:
    """Whether a text reads as the value, whichever of the usual spellings it has."""
    if isinstance(value, str):
        return text == value
    word = text.lower()
    if value is None:
        return word in ("null", "none", "~")
    if isinstance(value, bool):
        return word == ("true" if value else "false")
    if isinstance(value, (int, float)):
        if text == str(value):
            return True
        try:
            return float(text) == value and text == text.strip()
        except (ValueError, OverflowError):
            return False
    return False


def spelled_like(value: Any, at: Span, old: Any, form: str) -> str | None:
    """A new value as text for the place where `old` stands, in its style; None if it cannot stand there."""
    text = at.text
    quote = at.source.text[at.start - 1 : at.start] if at.start else ""
    quoted = quote in ("'", '"') and at.source.text[at.end : at.end + 1] == quote
    if not isinstance(value, (str, bool, int, float)) and value is not None:
        return None
    if isinstance(value, str):
        plain = value.isascii() and value != "" and all(char.isalnum() or char in "_-./" for char in value)
        if quoted:
            return value if plain else None
        if form == "python":
            return repr(value)
        if form == "json":
            return f'"{value}"' if plain else None
        return value if plain else None
    if quoted and form in ("json", "python") and isinstance(old, str):
        return None
    if form == "python":
        return repr(value)
    if value is None:
        return "None" if text == "None" and form == "flag" else "null"
    if isinstance(value, bool):
        word = "true" if value else "false"
        return word.capitalize() if text[:1].isupper() else word
    return yaml_number(value) if form == "yaml" else str(value)


def yaml_number(value: float) -> str:
    """A number as every YAML loader reads it: PyYAML wants a point before an exponent."""
    text = str(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _unquoted(span: Span) -> Span:
    """The span without blanks around it and without one pair of quotes that encloses all of it."""
    text = span.text
    start = span.start + len(text) - len(text.lstrip())
    end = max(span.end - (len(text) - len(text.rstrip())), start)
    inner = span.source.text[start:end]
    if len(inner) >= 2 and inner[0] in "'\"" and inner[-1] == inner[0] and inner[0] not in inner[1:-1]:
        return Span(span.source, start + 1, end - 1)
    return Span(span.source, start, end)


def _halves(span: Span) -> list[Span]:
    """What stands after the key in `key=value`, `key: value` and `--key value`."""
    text = span.text
    found = []
    for mark in ("=", ":", " "):
        at = text.find(mark)
        key = text[:at].strip("'\"")
        if at > 0 and "\n" not in key and (mark != " " or key.startswith("-")):
            start = span.start + at + 1
            while span.source.text[start : start + 1] in (" ", "\t", "\\", "\n", "\r") and start < span.end:
                start += 1
            found.append(Span(span.source, start, span.end))
    return found


def _fallback(span: Span) -> Span | None:
    """`value` in `${NAME:-value}`."""
    text = span.text
    if not (text.startswith("${") and text.endswith("}")):
        return None
    for mark in (":-", ":=", "-"):
        name, found, _ = text[2:-1].partition(mark)
        if found and name.isidentifier():
            return _unquoted(Span(span.source, span.start + 2 + len(name) + len(mark), span.end - 1))
    return None
