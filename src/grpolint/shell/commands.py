"""Commands whose output follows from their text alone: computed, never run. Everything else has an unknown output."""

from __future__ import annotations

import re
from collections.abc import Callable

from grpolint.regex import regex
from grpolint.shell.calls import Call, as_line, unescape
from grpolint.shell.filters import FILTERS
from grpolint.shell.paths import PATH_COMMANDS
from grpolint.shell.pieces import EMPTY, Piece, Text, concatenate, known, literal

__all__ = ["COMMANDS", "QUESTIONS", "SILENT", "SYMBOLIC"]

SILENT = frozenset(
    [
        "mkdir",
        "rm",
        "rmdir",
        "cp",
        "mv",
        "touch",
        "chmod",
        "chown",
        "ln",
        "sleep",
        "wait",
        "kill",
        "pkill",
        "killall",
        "sync",
        "umount",
        "mount",
        "umask",
        "renice",
        "fuser",
        "logger",
        "module",
        "ml",
        "disown",
        "jobs",
        "fg",
        "bg",
        "chgrp",
        "install",
        "dos2unix",
        "stty",
        "tput",
        "clear",
        "reset",
        "modprobe",
        "sysctl",
        "shopt",
        "enable",
        "bind",
        "complete",
        "compgen",
        "history",
        "hash",
        "times",
        "builtin",
    ]
)
"""Commands that print nothing and are taken to succeed."""

SYMBOLIC = frozenset(
    ["date", "hostname", "whoami", "uuidgen", "mktemp", "logname", "tty", "shuf", "id", "uname", "openssl"]
)
"""Commands whose output names a moment, a machine or a chance: it ends in names and paths."""

QUESTIONS = frozenset(
    [
        "grep",
        "egrep",
        "fgrep",
        "pgrep",
        "command",
        "which",
        "type",
        "hash",
        "test",
        "nvidia-smi",
        "npu-smi",
        "rocm-smi",
        "nc",
        "lsof",
        "ping",
        "curl",
        "wget",
        "diff",
        "cmp",
        "docker",
        "podman",
        "squeue",
        "ps",
        "pidof",
        "python",
        "python3",
        "netstat",
        "ss",
        "mountpoint",
        "git",
        "getent",
        "lspci",
        "systemctl",
        "dpkg",
        "rpm",
        "conda",
        "timeout",
        "ray",
        "read",
        "awk",
        "jq",
        "find",
        "ls",
        "stat",
    ]
)
"""Commands that scripts run to find something out: success cannot be assumed."""

_MAX_SEQUENCE = 2000


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
            piece if piece.unknown is not None or "\\" not in piece.text else Piece(unescape(piece.text))
            for piece in text
        )
    return as_line(text) if newline else text


_DIRECTIVE = regex(r"%(?:%|([-+ #0]*)(\*|\d{1,4})?(?:\.(\d{1,3}))?([a-zA-Z]))")


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
            parts.append((Piece(unescape(template[at : match.start()], octal=True)),))
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
            parts.append((Piece(unescape(text)),) if kind == "b" and text is not None else argument)
            continue
        text = known(argument)
        if text is None:
            return False
        formatted = _one(kind, "%" + flags + (width or "") + (f".{precision}" if precision else ""), text)
        if formatted is None:
            return False
        parts.append((Piece(formatted),))
    if at < len(template):
        parts.append((Piece(unescape(template[at:], octal=True)),))
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
    separator = unescape(options.get("s", "\n"))
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
        return as_line(
            literal(match.group(1) or "" if match and match.groups() else str(len(match[0]) if match else 0))
        )
    if len(words) == 2 and words[0] == "length":
        return as_line(literal(str(len(words[1]))))
    from grpolint.shell.arithmetic import ArithmeticFault, evaluate

    text = " ".join("==" if word == "=" else word for word in words)
    if not re.fullmatch(r"[-+*/%()<>=!&|\s\d]+", text):
        return None
    try:
        value = evaluate(text, lambda *_: None, lambda *_: None)
    except ArithmeticFault:
        return None
    call.status = value != 0
    return as_line(literal(str(value)))


def _nothing(_: Call) -> Text | None:
    return EMPTY


def _false(call: Call) -> Text | None:
    call.status = False
    return EMPTY


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
    **PATH_COMMANDS,
    **FILTERS,
    "echo": _echo,
    "printf": _printf,
    "seq": _seq,
    "expr": _expr,
    "true": _nothing,
    ":": _nothing,
    "false": _false,
    "tee": _tee,
}
