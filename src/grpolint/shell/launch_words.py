"""Words taken apart and put together, unknown parts kept: assignments, comma lists, JSON."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.digits import whole
from grpolint.launch import Part, Word
from grpolint.records import replace

__all__ = ["RESOURCES", "assignment", "join_words", "limit", "runtime_variables", "split_commas"]


RESOURCES = {
    "c": "core", "d": "data", "e": "nice", "f": "fsize", "i": "sigpending", "l": "memlock", "m": "rss", "n": "nofile",
    "q": "msgqueue", "r": "rtprio", "s": "stack", "t": "cpu", "u": "nproc", "v": "as", "x": "locks",
}  # fmt: skip
"""Names of the limits as prlimit and docker call them, by the letters of `ulimit`."""


def assignment(word: Word) -> tuple[str, Word] | None:
    """Name and value of `NAME=VALUE`, None for any other word."""
    name, equals, _ = word.prefix.partition("=")
    if not equals or not name.isidentifier():
        return None
    return name, word.split_at(len(name) + 1)[1]


def limit(option: str, value: Word) -> tuple[str, Word] | None:
    """Name and soft limit of what a wrapper sets: `--ulimit nofile=65535:65535` of docker, `--nofile=65535` of prlimit."""
    name = option.lstrip("-")
    if name == "ulimit":
        name, equals, _ = value.prefix.partition("=")
        if not equals:
            return None
        value = value.split_at(len(name) + 1)[1]
    head, colon, _ = value.prefix.partition(":")
    if colon:
        value = replace(value, parts=(Part(head, None, value.parts[0].origins),))
    return (RESOURCES.get(name, name), value) if value.text != "" else None


def _glued(parts: Sequence[Part], like: Word) -> Word:
    """A word of these parts, adjacent known ones joined."""
    out: list[Part] = []
    for part in parts:
        if out and out[-1].text is not None and part.text is not None:
            out[-1] = Part(out[-1].text + part.text, None, (*out[-1].origins, *part.origins))
        elif part.text != "":
            out.append(part)
    return Word(tuple(out) or (Part(""),), like.span, like.condition)


def join_words(words: Sequence[Word]) -> Word:
    """Words joined with blanks, as `ssh` and `eval` do. Needs at least one word; keeps the first one's span."""
    parts: list[Part] = []
    for word in words:
        if parts:
            parts.append(Part(" "))
        parts.extend(word.parts)
    return _glued(parts, words[0])


def split_commas(word: Word) -> tuple[Word, ...]:
    """`ALL,A=1,B=2` in pieces; unknown parts stay inside their piece."""
    pieces: list[list[Part]] = [[]]
    for part in word.parts:
        if part.text is None:
            pieces[-1].append(part)
            continue
        for index, text in enumerate(part.text.split(",")):
            if index:
                pieces.append([])
            pieces[-1].append(Part(text, None, part.origins))
    return tuple(_glued(piece, word) for piece in pieces if piece)


def runtime_variables(word: Word) -> dict[str, Word]:
    """`env_vars` of a runtime environment written as JSON; unknown parts of the text stay unknown in the values."""
    import json

    holes: list[Part] = []
    text, quoted, escaped = "", False, False
    for part in word.parts:
        if part.text is None:
            hole = f"\ue000{len(holes)}\ue001"
            text += hole if quoted else f'"{hole}"'
            holes.append(part)
            continue
        for letter in part.text:
            if escaped:
                escaped = False
            elif quoted and letter == "\\":
                escaped = True
            elif letter == '"':
                quoted = not quoted
        text += part.text
    try:
        tree = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return {}
    variables = tree.get("env_vars") if isinstance(tree, dict) else None
    if not isinstance(variables, dict):
        return {}
    found = {}
    for name, value in variables.items():
        if "\ue000" in name:
            continue
        plain = value if isinstance(value, str) else json.dumps(value)
        found[name] = _with_holes(plain, holes, word)
    return found


def _with_holes(text: str, holes: Sequence[Part], word: Word) -> Word:
    """A word from text in which each hole stands for an unknown part."""
    parts: list[Part] = []
    rest = text
    while (start := rest.find("\ue000")) >= 0 and (end := rest.find("\ue001", start)) > 0:
        number = rest[start + 1 : end]
        place = whole(number)
        if place is None or place >= len(holes):
            break
        parts += [Part(rest[:start], None, word.origins), holes[place]]
        rest = rest[end + 1 :]
    return _glued([*parts, Part(rest, None, word.origins)], word)
