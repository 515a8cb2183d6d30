"""Filters: commands that turn their input, or a file, into other text."""

from __future__ import annotations

import re
from functools import partial

from grpolint.shell.calls import Call, as_line, unescape
from grpolint.shell.pieces import Piece, Text, concatenate, known, literal, split_lines

__all__ = ["FILTERS"]


def _set_of(text: str) -> str:
    for name, characters in (
        ("[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("[:lower:]", "abcdefghijklmnopqrstuvwxyz"),
        ("[:digit:]", "0123456789"),
        ("[:space:]", " \t\n\r\v\f"),
        ("[:blank:]", " \t"),
        ("[:alpha:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
        ("[:alnum:]", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
        ("[:punct:]", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    ):
        text = text.replace(name, characters)
    text = unescape(text)
    found: list[str] = []
    at = 0
    while at < len(text):
        if at + 2 < len(text) and text[at + 1] == "-" and text[at] <= text[at + 2]:
            found.extend(chr(code) for code in range(ord(text[at]), min(ord(text[at + 2]), ord(text[at]) + 300) + 1))
            at += 3
        else:
            found.append(text[at])
            at += 1
    return "".join(found)


def _tr(call: Call) -> Text | None:
    parsed = call.options("dscC")
    if parsed is None or call.stdin is None:
        return None
    options, operands = parsed
    sets = [known(operand) for operand in operands]
    if not sets or any(each is None for each in sets):
        return None
    first = _set_of(sets[0] or "")
    second = _set_of(sets[1] or "") if len(sets) > 1 else ""
    complement = "c" in options or "C" in options

    def change(text: str) -> str:
        if "d" in options:
            return "".join(char for char in text if (char in first) == complement)
        if second:
            last = second[-1]
            table = {char: second[min(i, len(second) - 1)] for i, char in reversed(list(enumerate(first)))}
            text = "".join(
                (last if char not in first else char) if complement else table.get(char, char) for char in text
            )
        if "s" in options:
            squeezed = second or first
            text = re.sub(r"(.)\1+", lambda m: m.group(1) if (m.group(1) in squeezed) != (complement and not second)
                          else m.group(), text, flags=re.DOTALL)  # fmt: skip
        return text

    text = call.input()
    # What `tr` does to an unknown part is part of what is unknown.
    return None if text is None else call.stdin if change(text) == text else literal(change(text))


def _cut(call: Call) -> Text | None:
    parsed = call.options("s", "dfcb")
    if parsed is None or parsed[1] or call.stdin is None:
        return None
    options = parsed[0]
    spec = options.get("f") or options.get("c") or options.get("b")
    if not spec or not re.fullmatch(r"[\d,-]{1,50}", spec):
        return None
    delimiter = options.get("d", "\t")
    lines: list[Text] = []
    for line in split_lines(call.stdin):
        found = _cut_fields(line, delimiter, spec) if "f" in options else _cut_characters(line, spec)
        if found is None:
            return None
        lines.append(as_line(found))
    return concatenate(lines)


def _indices(spec: str, count: int) -> list[int] | None:
    found: set[int] = set()
    for part in spec.split(","):
        first, dash, last = part.partition("-")
        if not (first or last):
            return None
        if len(part) > 20:
            return None
        begin = int(first) if first else 1
        end = (int(last) if last else count) if dash else begin
        found.update(range(begin, min(end, count) + 1))
    return sorted(found)


def _cut_fields(line: Text, delimiter: str, spec: str) -> Text | None:
    fields: list[list[Piece]] = [[]]
    for piece in line:
        if piece.unknown is not None:
            fields[-1].append(piece)
            continue
        at = 0
        for part in piece.text.split(delimiter):
            if at:
                fields.append([])
            if part:
                fields[-1].append(piece.slice(at, at + len(part)))
            at += len(part) + len(delimiter)
    if any(piece.unknown is not None for field in fields for piece in field):
        return None
    if len(fields) == 1:
        return line
    wanted = _indices(spec, len(fields))
    if wanted is None:
        return None
    parts: list[Text] = []
    for index in wanted:
        if parts:
            parts.append((Piece(delimiter),))
        parts.append(tuple(fields[index - 1]))
    return concatenate(parts)


def _cut_characters(line: Text, spec: str) -> Text | None:
    text = known(line)
    if text is None:
        return None
    wanted = _indices(spec, len(text))
    return None if wanted is None else literal("".join(text[index - 1] for index in wanted))


def _files(call: Call, operands: list[Text]) -> Text | None:
    """The text a filter works on: its files, else its input."""
    if not operands:
        return call.stdin
    parts: list[Text] = []
    for operand in operands:
        content = call.stdin if known(operand) == "-" else call.shell.file_text(operand)
        if content is None:
            return None
        parts.append(content)
    return concatenate(parts)


def _cat(call: Call) -> Text | None:
    operands = [each for each in call.arguments if not re.fullmatch(r"-[AbeEnstTuv]+", known(each) or "")]
    if len(operands) != len(call.arguments):
        return None
    return _files(call, operands)


def _wc(call: Call) -> Text | None:
    parsed = call.options("lwcm")
    if parsed is None or parsed[1] or len(parsed[0]) != 1:
        return None
    text = call.input()
    if text is None:
        return None
    kind = next(iter(parsed[0]))
    count = text.count("\n") if kind == "l" else len(text.split()) if kind == "w" else len(text)
    return literal(f"{count}\n")


def _head(call: Call) -> Text | None:
    arguments = call.arguments
    first = known(arguments[0]) if arguments else None
    count, operands = 10, arguments
    if first is not None and re.fullmatch(r"-\d{1,6}", first):
        count, operands = int(first[1:]), arguments[1:]
    elif first is not None and first.startswith("-"):
        parsed = call.options("q", "n")
        if parsed is None or not re.fullmatch(r"\d{1,6}", parsed[0].get("n", "")):
            return None
        count, operands = int(parsed[0]["n"]), parsed[1]
    text = _files(call, operands)
    if text is None:
        return None
    lines = split_lines(text)
    if count >= len(lines) or (call.name == "head" and all(p.unknown is None for line in lines[:count] for p in line)):
        chosen = lines[:count] if call.name == "head" else lines[-count:]
    elif known(text) is not None:
        chosen = lines[:count] if call.name == "head" else lines[len(lines) - count :]
    else:
        return None
    return concatenate([as_line(line) for line in chosen])


def _lines(call: Call) -> list[str] | None:
    text = call.input()
    return text.splitlines() if text is not None and not call.arguments else None


def _sort(call: Call) -> Text | None:
    parsed = call.options("nru")
    text = call.input()
    if parsed is None or parsed[1] or text is None:
        return None
    lines = text.splitlines()
    options = parsed[0]
    if "n" in options:
        lines.sort(
            key=lambda line: (float(m.group()) if (m := re.match(r"\s*-?\d{1,30}(\.\d{1,30})?", line)) else 0.0, line)
        )
    else:
        if not text.isascii() or any(not (char.isalnum() or char == "\n") for char in text):
            return None  # the order of other characters depends on the locale
        lines.sort(key=lambda line: (line.lower(), line.swapcase()))
    if "u" in options:
        lines = list(dict.fromkeys(lines))
    if "r" in options:
        lines.reverse()
    return literal("".join(line + "\n" for line in lines))


def _rev(call: Call) -> Text | None:
    lines = _lines(call)
    return None if lines is None else literal("".join(line[::-1] + "\n" for line in lines))


def _tac(call: Call) -> Text | None:
    lines = _lines(call)
    return None if lines is None else literal("".join(line + "\n" for line in reversed(lines)))


def _paste(call: Call) -> Text | None:
    parsed = call.options("s", "d")
    text = call.input()
    if parsed is None or "s" not in parsed[0] or text is None or [known(each) for each in parsed[1]] not in ([], ["-"]):
        return None
    return literal(unescape(parsed[0].get("d", "\t"))[:1].join(text.splitlines()) + "\n")


def _xargs(call: Call) -> Text | None:
    if call.arguments and [known(each) for each in call.arguments] != ["echo"]:
        return None
    text = call.input()
    if text is None or any(char in text for char in "\"'\\"):
        return None
    return literal(" ".join(text.split()) + "\n")


def _sed(call: Call) -> Text | None:
    parsed = call.options("Er", "e")
    text = call.input()
    if parsed is None or text is None:
        return None
    options, operands = parsed
    scripts = [options["e"]] if "e" in options else []
    if not scripts and operands:
        scripts, operands = [known(operands[0]) or ""], operands[1:]
    if operands or len(text) > 20_000:
        return None
    extended = "E" in options or "r" in options
    lines = text.split("\n")
    for command in [part.strip() for script in scripts for part in _sed_commands(script)]:
        match = re.fullmatch(r"s(.)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([gI]*)", command, re.DOTALL)
        expression = _basic_expression(match.group(2), match.group(1), extended) if match is not None else None
        if match is None or expression is None:
            return None
        replacement = match.group(3).replace("\\" + match.group(1), match.group(1))
        try:
            compiled = re.compile(expression, re.IGNORECASE if "I" in match.group(4) else 0)
            count = 0 if "g" in match.group(4) else 1
            substitute = partial(_sed_replacement, replacement)
            lines = [compiled.sub(substitute, line, count=count) for line in lines]
        except (re.error, RecursionError, IndexError):
            return None
    return literal("\n".join(lines))


def _sed_commands(script: str) -> list[str]:
    """The commands of a sed script, if it has only substitutions; one odd command otherwise."""
    found: list[str] = []
    at = 0
    while at < len(script):
        if script[at] in "; \n":
            at += 1
            continue
        match = re.compile(r"s(.)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gI]*", re.DOTALL).match(script, at)
        if match is None:
            return ["?"]
        found.append(match.group())
        at = match.end()
    return found or ["?"]


def _basic_expression(text: str, delimiter: str, extended: bool) -> str | None:
    """A regular expression of sed in Python's syntax; None beyond a plain subset."""
    text = text.replace("\\" + delimiter, re.escape(delimiter) if delimiter in "/," else delimiter)
    if not extended:
        special = "(){}+?|"
        text = re.sub(r"\\([(){}+?|])", lambda m: f"\0{special.index(m.group(1))}", text)
        text = re.sub(r"(?<!\\)([(){}+?|])", r"\\\1", text)
        text = re.sub("\0([0-6])", lambda m: special[int(m.group(1))], text)
    for name, characters in (("[:space:]", r"\s"), ("[:digit:]", "0-9"), ("[:alnum:]", "a-zA-Z0-9"),
                             ("[:alpha:]", "a-zA-Z"), ("[:upper:]", "A-Z"), ("[:lower:]", "a-z")):  # fmt: skip
        text = text.replace(name, characters)
    text = re.sub(r"\[(\^?)([^\]\\]*)/", lambda m: m.group(), text)
    return None if re.search(r"[*+?}]\)[*+{]", text) or len(text) > 300 else text


def _sed_replacement(template: str, match: re.Match[str]) -> str:
    def one(part: re.Match[str]) -> str:
        mark = part.group()
        if mark == "&":
            return match.group()
        char = mark[1]
        if char in "0123456789":
            return match.group(int(char)) or ""
        return {"n": "\n", "t": "\t"}.get(char, char)

    return re.sub(r"&|\\.", one, template, flags=re.DOTALL)


def _awk(call: Call) -> Text | None:
    """`awk '{print $N}'`, with a one-character separator."""
    words = call.strings()
    text = call.input()
    if words is None or text is None:
        return None
    separator: str | None = None
    while words and words[0].startswith("-F"):
        separator = words[0][2:] if len(words[0]) > 2 else words[1] if len(words) > 1 else None
        words = words[1:] if len(words[0]) > 2 else words[2:]
    if len(words) != 1 or (separator is not None and len(separator) != 1):
        return None
    match = re.fullmatch(r"\s*\{\s*print\s+\$(\d{1,3}|NF)\s*;?\s*\}\s*", words[0])
    if match is None:
        return None
    lines: list[str] = []
    for line in text.splitlines():
        fields = line.split() if separator in (None, " ") else line.split(separator)
        index = len(fields) if match.group(1) == "NF" else int(match.group(1))
        lines.append(line if index == 0 else fields[index - 1] if index <= len(fields) else "")
    return literal("".join(line + "\n" for line in lines))


def _uniq(call: Call) -> Text | None:
    lines = _lines(call)
    if lines is None:
        return None
    kept = [line for index, line in enumerate(lines) if index == 0 or line != lines[index - 1]]
    return literal("".join(line + "\n" for line in kept))


FILTERS = {
    "tr": _tr,
    "cut": _cut,
    "cat": _cat,
    "wc": _wc,
    "head": _head,
    "tail": _head,
    "sort": _sort,
    "uniq": _uniq,
    "rev": _rev,
    "tac": _tac,
    "paste": _paste,
    "xargs": _xargs,
    "sed": _sed,
    "awk": _awk,
}
