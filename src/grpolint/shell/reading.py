"""Builtins that read input or arguments: `read`, `mapfile`, `getopts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.digits import whole
from grpolint.documents.source import Span
from grpolint.shell.pieces import EMPTY, Element, Piece, assigned, known, literal, split_lines, unknown
from grpolint.shell.state import Variable
from grpolint.shell.streams import Streams, take_field, trim_blanks
from grpolint.shell.syntax import Simple
from grpolint.shell.words import split_fields

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["READERS", "Invocation"]

_NORMAL = 0


class Invocation:
    """One call of a builtin: its words (the name first), whether the caller may add some, its streams, its command."""

    __slots__ = ("elements", "node", "open_ended", "shell", "streams")

    def __init__(
        self, shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple
    ) -> None:
        self.shell = shell
        self.elements = elements
        self.open_ended = open_ended
        self.streams = streams
        self.node = node


def _read(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    delimiter, array, names = "\n", None, []
    at = 1
    while at < len(elements):
        text = known(elements[at].text)
        at += 1
        if text is None:
            continue
        if not text.startswith("-") or len(text) < 2:
            names.append((text, elements[at - 1].span))
            continue
        for index, letter in enumerate(text[1:], 1):
            if letter in "adinNptu":
                value = text[index + 1 :]
                if not value and at < len(elements):
                    value = known(elements[at].text) or ""
                    at += 1
                if letter == "d":
                    delimiter = value[:1]
                elif letter == "a":
                    array = value
                break
    line, ended = call.streams.stdin.line(delimiter) if call.streams.stdin is not None else (None, False)
    separators = shell.separators()
    if line is None:
        for name, span in names:
            shell.assign_text(name, unknown(f"input:{name}", span=span, what="input"))
        if array:
            shell.set_variable(array, Variable(None, {0: Element(unknown(f"input:{array}"), None, None, True)}))
        shell.done(None, assumed=call.streams.stdin is None)
        return _NORMAL
    if array is not None:
        shell.set_variable(array, Variable(None, dict(enumerate(split_fields(line, None, separators)))))
    elif not names:
        shell.assign_text("REPLY", line)
    for index, (name, span) in enumerate(names):
        if index == len(names) - 1:
            field = trim_blanks(line, separators)
        else:
            field, line = take_field(line, separators)
        place = span if span is not None else Span(shell.source, call.node.start, call.node.end)
        shell.assign_text(name, assigned(field, place, name))
    shell.done(ended)
    return _NORMAL


def _mapfile(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    name, strip, delimiter = "MAPFILE", False, "\n"
    at = 1
    while at < len(elements):
        text = known(elements[at].text) or ""
        at += 1
        if text.startswith("-"):
            strip = strip or "t" in text
            if text[-1] in "dnOsuCc" and at < len(elements):
                if text[-1] == "d":
                    delimiter = (known(elements[at].text) or "")[:1] or "\0"
                at += 1
        elif text:
            name = text
    content = call.streams.stdin.all() if call.streams.stdin is not None else None
    if content is None:
        items: dict[int | str, Element] = {0: Element(unknown(f"input:{name}"), None, None, True)}
    else:
        ending = () if strip else (Piece(delimiter),)
        items = {
            i: Element((*line, *ending), None, None, len(line) == 1 and line[0].unknown is not None)
            for i, line in enumerate(split_lines(content, delimiter)[:5000])
        }
    shell.set_variable(name, Variable(None, items))
    shell.done(True)
    return _NORMAL


def _getopts(call: Invocation) -> int:
    """`getopts spec name`: over known arguments; without any it ends at once."""
    shell, elements = call.shell, call.elements
    spec = known(elements[1].text) if len(elements) > 1 else None
    name = known(elements[2].text) if len(elements) > 2 else None
    position = shell.state.positional
    index_text = shell.state.variables.get("OPTIND")
    index = (whole(known(index_text.value or EMPTY) or "") or 1) if index_text is not None else 1
    arguments = [known(each.text) for each in position.items]
    if spec is None or name is None or index > len(arguments):
        shell.done(False)
        return _NORMAL
    option = arguments[index - 1]
    if option is None or len(option) < 2 or option[0] != "-" or option == "--":
        shell.done(False)
        return _NORMAL
    letter = option[1]
    place = spec.find(letter)
    shell.assign_text(name, literal(letter if place >= 0 else "?"))
    index += 1
    if place >= 0 and spec[place + 1 : place + 2] == ":":
        if len(option) > 2:
            shell.assign_text("OPTARG", literal(option[2:]))
        elif index <= len(position.items):
            shell.assign_text("OPTARG", position.items[index - 1].text)
            index += 1
    elif len(option) > 2:
        shell.done(None)
    shell.assign_text("OPTIND", literal(str(index)))
    shell.done(True)
    return _NORMAL


READERS = {"read": _read, "mapfile": _mapfile, "readarray": _mapfile, "getopts": _getopts}
