"""Commands whose output follows from their text alone: computed, never run. Everything else has an unknown output."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from grpolint.shell.pieces import EMPTY, Piece, Text, concatenate, known, literal, split_lines

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["COMMANDS", "QUESTIONS", "SILENT", "SYMBOLIC", "Call", "basename", "dirname", "normalise"]

SILENT = frozenset(
    ["mkdir", "rm", "rmdir", "cp", "mv", "touch", "chmod", "chown", "ln", "sleep", "wait", "kill", "pkill", "killall", "sync", "umount", "mount", "ulimit", "umask", "renice", "fuser", "logger", "module", "ml", "disown", "jobs", "fg", "bg", "chgrp", "install", "dos2unix", "stty", "tput", "clear", "reset", "modprobe", "sysctl", "shopt", "enable", "bind", "complete", "compgen", "history", "hash", "times", "builtin"]
)
"""Commands that print nothing and are taken to succeed."""

SYMBOLIC = frozenset(["date", "hostname", "whoami", "uuidgen", "mktemp", "logname", "tty", "shuf", "id", "uname", "openssl"])
"""Commands whose output names a moment, a machine or a chance: it ends in names and paths."""

QUESTIONS = frozenset(
    ["grep", "egrep", "fgrep", "pgrep", "command", "which", "type", "hash", "test", "nvidia-smi", "npu-smi", "rocm-smi", "nc", "lsof", "ping", "curl", "wget", "diff", "cmp", "docker", "podman", "squeue", "ps", "pidof", "python", "python3", "netstat", "ss", "mountpoint", "git", "getent", "lspci", "systemctl", "dpkg", "rpm", "conda", "timeout", "ray", "read", "awk", "jq", "find", "ls", "stat"]
)
"""Commands that scripts run to find something out: success cannot be assumed."""

_MAX_SEQUENCE = 2000
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


class Call:
    """One call of a command: its arguments, its standard input (None if it is the terminal), its success."""

    __slots__ = ("arguments", "name", "shell", "status", "stdin")

    def __init__(self, shell: Evaluator, name: str, arguments: list[Text], stdin: Text | None) -> None:
        self.shell = shell
        self.name = name
        self.arguments = arguments
        self.stdin = stdin
        self.status = True

    def strings(self) -> list[str] | None:
        """All arguments as plain strings, None if one of them is not known."""
        found: list[str] = []
        for argument in self.arguments:
            text = known(argument)
            if text is None:
                return None
            found.append(text)
        return found

    def input(self) -> str | None:
        """The whole standard input, None if it is not known."""
        return known(self.stdin) if self.stdin is not None else None

    def options(self, flags: str, valued: str = "") -> tuple[dict[str, str], list[Text]] | None:
        """Leading short options: flags and those with a value. None for anything else that begins with a dash."""
        found: dict[str, str] = {}
        at = 0
        while at < len(self.arguments):
            text = known(self.arguments[at])
            if text is None or not text.startswith("-") or text == "-":
                break
            at += 1
            if text == "--":
                break
            if text.startswith("--"):
                return None
            index = 1
            while index < len(text):
                letter = text[index]
                index += 1
                if letter in flags:
                    found[letter] = ""
                elif letter in valued:
                    value = text[index:]
                    if not value:
                        if at >= len(self.arguments):
                            return None
                        value = known(self.arguments[at]) or ""
                        at += 1
                    found[letter] = value
                    break
                else:
                    return None
        return found, self.arguments[at:]


def _newline(text: Text) -> Text:
    return (*text, Piece("\n"))


def _spaced(arguments: list[Text]) -> Text:
    parts: list[Text] = []
    for index, argument in enumerate(arguments):
        if index:
            parts.append((Piece(" "),))
        parts.append(argument)
    return concatenate(parts)


def _echo(call: Call) -> Text | None:
    arguments = call.arguments
    newline, escapes = True, False
    while arguments:
        option = known(arguments[0])
        if option is None or len(option) < 2 or option[0] != "-" or any(char not in "neE" for char in option[1:]):
            break
        newline = newline and "n" not in option
        escapes = "e" in option or (escapes and "E" not in option)
        arguments = arguments[1:]
    text = _spaced(arguments)
    if escapes:
        text = tuple(
            piece if piece.unknown is not None or "\\" not in piece.text else Piece(_unescape(piece.text))
            for piece in text
        )
    return _newline(text) if newline else text


def _unescape(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        kind = match.group(1)
        if kind[0] in "x0" and len(kind) > 1:
            return chr(int(kind[1:], 16 if kind[0] == "x" else 8) & 0xFF)
        return _ESCAPES.get(kind, match.group())

    return re.sub(r"\\(x[0-9A-Fa-f]{1,2}|0[0-7]{1,3}|.)", replace, text, flags=re.DOTALL)


_DIRECTIVE = re.compile(r"%(?:%|([-+ #0]*)(\*|\d{1,4})?(?:\.(\d{1,3}))?([a-zA-Z]))")


def _printf(call: Call) -> Text | None:
    arguments = call.arguments
    if arguments and known(arguments[0]) == "--":
        arguments = arguments[1:]
    if not arguments:
        return None
    template = known(arguments[0])
    if template is None:
        return arguments[0] if len(arguments) == 1 else None
    rest = list(arguments[1:])
    parts: list[Text] = []
    while True:
        before = len(rest)
        done = _format(template, rest, parts)
        if not done:
            return None
        if not rest or len(rest) == before or len(parts) > 5000:
            return concatenate(parts)


def _format(template: str, rest: list[Text], parts: list[Text]) -> bool:
    at = 0
    for match in _DIRECTIVE.finditer(template):
        if match.start() > at:
            parts.append((Piece(_unescape(template[at : match.start()])),))
        at = match.end()
        flags, width, precision, kind = match.groups()
        if kind is None:
            parts.append((Piece("%"),))
            continue
        if width == "*":
            return False
        argument = rest.pop(0) if rest else EMPTY
        if kind in "sbq" and not width and precision is None:
            text = known(argument)
            parts.append((Piece(_unescape(text)),) if kind == "b" and text is not None else argument)
            continue
        text = known(argument)
        if text is None:
            return False
        formatted = _one(kind, "%" + flags + (width or "") + (f".{precision}" if precision else ""), text)
        if formatted is None:
            return False
        parts.append((Piece(formatted),))
    if at < len(template):
        parts.append((Piece(_unescape(template[at:])),))
    return True


def _one(kind: str, spec: str, text: str) -> str | None:
    try:
        if kind == "s":
            return (spec + "s") % text
        if kind in "di":
            return (spec + "d") % int(text.strip() or "0", 0 if "x" in text.lower() else 10)
        if kind in "xXo":
            return (spec + kind) % int(text.strip() or "0", 0 if "x" in text.lower() else 10)
        if kind in "fFeEgG":
            return (spec + kind) % float(text.strip() or "0")
    except (ValueError, OverflowError):
        return None
    return None


def _cut_suffix(text: Text, suffix: str) -> Text:
    last = text[-1] if text else None
    if last is None or last.unknown is not None or not suffix or last.text == suffix:
        return text
    if last.text.endswith(suffix):
        return (*text[:-1], last.slice(0, len(last.text) - len(suffix)))
    return text


def _without_trailing_slashes(text: Text) -> Text:
    last = text[-1] if text else None
    if last is not None and last.unknown is None and last.text.endswith("/"):
        stripped = last.text.rstrip("/")
        if stripped:
            return (*text[:-1], last.slice(0, len(stripped)))
        if len(text) > 1:
            return _without_trailing_slashes(text[:-1])
        return (last.slice(0, 1),)
    return text


def basename(text: Text) -> Text | None:
    """The part behind the last slash; None if it is in an unknown piece."""
    text = _without_trailing_slashes(text)
    if not text:
        return EMPTY
    for index in range(len(text) - 1, -1, -1):
        piece = text[index]
        if piece.unknown is not None:
            if index == len(text) - 1 or len(text) > 1:
                return None
            continue
        at = piece.text.rfind("/")
        if at >= 0:
            if piece.text == "/" and len(text) == 1:
                return text
            tail = piece.slice(at + 1, len(piece.text))
            return ((tail,) if tail.text else ()) + tuple(text[index + 1 :])
    return text if known(text) is not None else None


def dirname(text: Text) -> Text | None:
    """The part before the last slash, `.` if there is none; None if it is in an unknown piece."""
    text = _without_trailing_slashes(text)
    for index in range(len(text) - 1, -1, -1):
        piece = text[index]
        if piece.unknown is not None:
            if index == 0 and len(text) == 1 and piece.unknown.startswith("script-dir"):
                return (_parent(piece),)
            return None
        at = piece.text.rfind("/")
        if at >= 0:
            head = piece.text[:at].rstrip("/")
            if not head and index == 0:
                return (Piece("/"),)
            return (*text[:index], piece.slice(0, len(head))) if head else text[:index]
    return (Piece("."),)


def _parent(piece: Piece) -> Piece:
    return Piece("", f"{piece.unknown}/..", piece.origins, None, (), piece.symbolic)


def normalise(text: Text) -> Text:
    """A path without `.`, `..` and doubled slashes, as far as its known parts allow."""
    path = known(text)
    if path is not None and "/." not in path and "//" not in path and not path.endswith("/"):
        return text
    base: tuple[Piece, ...] = ()
    rest = text
    if text and text[0].unknown is not None:
        base, rest = (text[0],), text[1:]
    tail = known(rest)
    if tail is None or (not base and not tail.startswith("/")):
        return text
    parts: list[str] = []
    for part in tail.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        elif base:
            base = (_parent(base[0]),) if (base[0].unknown or "").startswith("script-dir") else (_somewhere(base[0]),)
    joined = "/".join(parts)
    if base:
        return (*base, Piece("/" + joined)) if joined else base
    return (Piece("/" + joined),)


def _somewhere(piece: Piece) -> Piece:
    """The parent folder of an unknown one: unknown for the same reason."""
    return Piece("", piece.unknown, piece.origins, None, (), piece.symbolic)


def _basename(call: Call) -> Text | None:
    arguments = call.arguments
    suffix: Text = EMPTY
    if len(arguments) > 2 and known(arguments[0]) == "-s":
        suffix, arguments = arguments[1], arguments[2:]
    elif arguments and known(arguments[0]) == "--":
        arguments = arguments[1:]
    if not suffix and len(arguments) > 1:
        suffix = arguments[1]
    if not arguments:
        return None
    name = basename(arguments[0])
    text = known(suffix)
    if name is None or text is None:
        return None
    return _newline(_cut_suffix(name, text))


def _dirname(call: Call) -> Text | None:
    arguments = [each for each in call.arguments if known(each) != "--"]
    if len(arguments) != 1:
        return None
    found = dirname(arguments[0])
    return None if found is None else _newline(found)


def _realpath(call: Call) -> Text | None:
    paths = [each for each in call.arguments if not (known(each) or "").startswith("-")]
    if len(paths) != 1:
        return None
    return _newline(normalise(call.shell.absolute(paths[0])))


def _readlink(call: Call) -> Text | None:
    if not any((known(each) or "") in ("-f", "-e", "-m", "--canonicalize") for each in call.arguments):
        return None
    return _realpath(call)


def _pwd(call: Call) -> Text | None:
    return _newline(call.shell.working_directory())


def _seq(call: Call) -> Text | None:
    parsed = call.options("w", "sf") if not _negative(call.arguments) else ({}, call.arguments)
    if parsed is None or "f" in parsed[0]:
        return None
    options, operands = parsed
    numbers: list[int] = []
    for operand in operands:
        text = known(operand)
        if text is None or not re.fullmatch(r"-?\d{1,12}", text):
            return None
        numbers.append(int(text))
    if not 1 <= len(numbers) <= 3:
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    last = numbers[-1]
    if step == 0 or abs(last - first) // abs(step) > _MAX_SEQUENCE:
        return None
    values = list(range(first, last + (1 if step > 0 else -1), step))
    width = max((len(str(value)) for value in values), default=0) if "w" in options else 0
    separator = _unescape(options.get("s", "\n"))
    return literal(separator.join(str(value).zfill(width) for value in values) + ("\n" if values else ""))


def _negative(arguments: list[Text]) -> bool:
    return bool(arguments) and re.fullmatch(r"-\d+", known(arguments[0]) or "") is not None


def _expr(call: Call) -> Text | None:
    words = call.strings()
    if words is None or len(words) > 40:
        return None
    if len(words) == 3 and words[1] == ":":
        pattern = re.sub(r"\\([(){}+?|])", r"\1", words[2])
        try:
            match = re.match(pattern, words[0]) if not re.search(r"[*+?)][*+]", pattern) else None
        except re.error:
            return None
        return _newline(
            literal(match.group(1) or "" if match and match.groups() else str(len(match[0]) if match else 0))
        )
    if len(words) == 2 and words[0] == "length":
        return _newline(literal(str(len(words[1]))))
    from grpolint.shell.arithmetic import ArithmeticFault, evaluate

    text = " ".join("==" if word == "=" else word for word in words)
    if not re.fullmatch(r"[-+*/%()<>=!&|\s\d]+", text):
        return None
    try:
        value = evaluate(text, lambda name, subscript: None, lambda name, subscript, number: None)
    except ArithmeticFault:
        return None
    call.status = value != 0
    return _newline(literal(str(value)))


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
    text = _unescape(text)
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

    if not _may_change(call.stdin, first):
        return None
    # Unknown pieces pass as they are: what `tr` does to them is part of what is unknown.
    return tuple(piece if piece.unknown is not None or change(piece.text) == piece.text else Piece(change(piece.text))
                 for piece in call.stdin)  # fmt: skip


def _may_change(text: Text, characters: str) -> bool:
    """Whether translating the known pieces alone is honest: an unknown piece must be a symbol, or be alone."""
    return known(text) is not None


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
        lines.append(_newline(found))
    return concatenate(lines)


def _indices(spec: str, count: int) -> list[int] | None:
    found: set[int] = set()
    for part in spec.split(","):
        first, dash, last = part.partition("-")
        if not (first or last):
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
                fields[-1].append(piece.slice(at if not at else at, at + len(part)))
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
    return concatenate([_newline(line) for line in chosen])


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
    return literal(_unescape(parsed[0].get("d", "\t"))[:1].join(text.splitlines()) + "\n")


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
            lines = [
                compiled.sub(lambda m: _sed_replacement(replacement, m), line, count=0 if "g" in match.group(4) else 1)
                for line in lines
            ]
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
        token = part.group()
        if token == "&":
            return match.group()
        char = token[1]
        if char.isdigit():
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


def _nothing(call: Call) -> Text | None:
    return EMPTY


def _false(call: Call) -> Text | None:
    call.status = False
    return EMPTY


def _uniq(call: Call) -> Text | None:
    lines = _lines(call)
    if lines is None:
        return None
    kept = [line for index, line in enumerate(lines) if index == 0 or line != lines[index - 1]]
    return literal("".join(line + "\n" for line in kept))


def _tee(call: Call) -> Text | None:
    text = call.stdin
    if text is None:
        return None
    append = False
    for argument in call.arguments:
        if known(argument) in ("-a", "--append"):
            append = True
        else:
            call.shell.write_file(argument, text, append)
    return text


COMMANDS: dict[str, Callable[[Call], Text | None]] = {
    "echo": _echo,
    "printf": _printf,
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _realpath,
    "readlink": _readlink,
    "pwd": _pwd,
    "seq": _seq,
    "expr": _expr,
    "tr": _tr,
    "cut": _cut,
    "cat": _cat,
    "wc": _wc,
    "head": _head,
    "tail": _head,
    "sort": _sort,
    "rev": _rev,
    "tac": _tac,
    "paste": _paste,
    "xargs": _xargs,
    "sed": _sed,
    "awk": _awk,
    "true": _nothing,
    ":": _nothing,
    "false": _false,
    "uniq": _uniq,
    "tee": _tee,
}
