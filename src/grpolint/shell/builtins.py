"""Bash's own commands, as far as they change what a launch receives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grpolint.digits import whole
from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved, evaluate
from grpolint.shell.calls import Call
from grpolint.shell.commands import COMMANDS
from grpolint.shell.conditions import decide_arguments
from grpolint.shell.limits import ulimit
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.pieces import (
    ComposedSource,
    Element,
    Piece,
    Text,
    concatenate,
    known,
    place_of,
    unknown,
)
from grpolint.shell.reading import READERS, Invocation
from grpolint.shell.state import Positional, Variable

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["BUILTINS"]

_NORMAL, _EXIT, _RETURN, _BREAK, _CONTINUE = range(5)

Builtin = Callable[[Invocation], int]


def _unset(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    functions = False
    for element in elements[1:]:
        name = known(element.text)
        if name is None:
            continue
        if name.startswith("-"):
            functions = "f" in name
        elif functions:
            shell.state.functions.pop(name, None)
        elif name.endswith("]") and "[" in name:
            base, _, key = name[:-1].partition("[")
            variable = shell.state.variables.get(base)
            if variable is not None and variable.items is not None:
                items = dict(variable.items)
                items.pop(place if (place := whole(key)) is not None else key.strip("\"'"), None)
                shell.set_variable(base, Variable(None, items, variable.exported, variable.attributes, variable.open))
        else:
            shell.set_variable(name, Variable())
    shell.done(True)
    return _NORMAL


def _set(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    shell.done(True)
    at = 1
    while at < len(elements):
        text = known(elements[at].text)
        if text == "--":
            shell.state.positional = Positional(elements[at + 1 :], call.open_ended)
            return _NORMAL
        if text is None or text[:1] not in ("-", "+") or len(text) < 2:
            shell.state.positional = Positional(elements[at:], call.open_ended)
            return _NORMAL
        if text in ("-o", "+o"):
            if at + 1 < len(elements) and known(elements[at + 1].text) == "allexport":
                shell.state.export_all = text == "-o"
            at += 2
            continue
        if "a" in text[1:]:
            shell.state.export_all = text[0] == "-"
        at += 2 if "o" in text[1:] else 1
    if call.open_ended and len(elements) == 1:
        shell.state.positional = Positional((), True)
    return _NORMAL


def _shift(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    count = 1
    if len(elements) > 1:
        text = known(elements[1].text)
        count = int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 6 else 1
    position = shell.state.positional
    left = position.items[count:]
    beyond = max(count - len(position.items), 0) if position.open else 0
    if count > len(position.items) and not position.open:
        shell.done(False)
        return _NORMAL
    shell.state.positional = Positional(left, position.open, position.base + beyond, max(position.least - beyond, 0))
    shell.done(True if not beyond else None, assumed=True)
    return _NORMAL


def _eval(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    parts: list[Text] = []
    for element in elements[1:]:
        if parts:
            parts.append((Piece(" "),))
        parts.append(element.text)
    text = concatenate(parts)
    if not text:
        shell.done(True)
        return _NORMAL
    source = ComposedSource(shell.source.path, text, Span(shell.source, call.node.start, call.node.end))
    return shell.include(source, call.streams)


def _source(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    shell.done(True, assumed=True)
    if len(elements) < 2:
        return _NORMAL
    found = shell.find_script(elements[1].text)
    if found is None:
        shell.done(None, assumed=True)
        return _NORMAL
    position = shell.state.positional
    if len(elements) > 2:
        shell.state.positional = Positional(elements[2:], call.open_ended)
    previous = shell.previous
    flow = shell.include(found, call.streams)
    shell.previous = previous
    if len(elements) > 2:
        shell.state.positional = position
    if flow == _RETURN:
        flow = _NORMAL
    shell.done(True)
    return flow


def _cd(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    arguments = [e for e in elements[1:] if known(e.text) not in ("-P", "-L", "--", "-e")]
    shell.done(True)
    if not arguments:
        home = shell.expander.lookup("HOME")
        shell.state.cwd = home if home is not None else unknown("env:HOME", symbolic=True)
    elif known(arguments[0].text) == "-":
        shell.state.cwd = unknown("env:OLDPWD", symbolic=True)
    else:
        shell.change_directory(arguments[0].text)
    return _NORMAL


def _pushd(call: Invocation) -> int:
    shell = call.shell
    if len(shell.state.directories) < 50:
        shell.state.directories = (*shell.state.directories, shell.state.cwd)
    return _cd(call)


def _popd(call: Invocation) -> int:
    shell = call.shell
    if shell.state.directories:
        shell.state.cwd = shell.state.directories[-1]
        shell.state.directories = shell.state.directories[:-1]
    shell.done(True)
    return _NORMAL


def _exit(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    _leave(shell, elements)
    shell.exit_status = shell.status
    return _EXIT


def _return(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    _leave(shell, elements)
    return _RETURN


def _leave(shell: Evaluator, elements: list[Element]) -> None:
    if len(elements) > 1:
        text = known(elements[1].text)
        shell.done(text == "0" if text is not None else None)


def _break(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    text = known(elements[1].text) if len(elements) > 1 else "1"
    shell.levels = int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else 1
    shell.done(True)
    return _CONTINUE if known(elements[0].text) == "continue" else _BREAK


def _test(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    arguments = elements[1:]
    if known(elements[0].text) == "[":
        if not arguments or known(arguments[-1].text) != "]":
            shell.done(False)
            return _NORMAL
        arguments = arguments[:-1]
    shell.done(decide_arguments(shell, arguments))
    return _NORMAL


def _let(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    shell.done(None)
    for element in elements[1:]:
        text = known(element.text)
        if text is None:
            return _NORMAL

        def get(name: str, _: str | None) -> str | None:
            value = shell.expander.lookup(name)
            return None if value is None else shell.plain(value, scenario=False)

        try:
            shell.done(evaluate(text, get, shell.assign_number) != 0)
        except (ArithmeticFault, Unresolved, NeedsArm):
            name = text.partition("=")[0].strip().rstrip("+-*/%")
            if name.isidentifier():
                shell.assign_text(name, unknown(f"arithmetic:{text[:60]}"))
            shell.done(None)
    return _NORMAL


def _exec(call: Invocation) -> int:
    shell, elements = call.shell, call.elements
    return shell.external(call.node, elements, call.open_ended, call.streams)


def _command(call: Invocation) -> int:
    """`command NAME ...` runs it past functions; `command -v` asks."""
    shell, elements = call.shell, call.elements
    rest = elements[1:]
    first = known(rest[0].text) if rest else "-v"
    if first is not None and first.startswith("-") and first != "-p":
        if call.streams.out is not None:
            call.streams.out.append(place_of(known(rest[1].text) if first == "-v" and len(rest) == 2 else None))
        shell.done(None)
        return _NORMAL
    rest = rest[1:] if first == "-p" else rest
    builtin = BUILTINS.get(known(rest[0].text) or "") if rest else None
    if builtin is not None:
        return builtin(Invocation(shell, rest, call.open_ended, call.streams, call.node))
    computed = COMMANDS.get(known(rest[0].text) or "") if rest else None
    if computed is not None and call.streams.out is not None:
        output = computed(Call(shell, known(rest[0].text) or "", [each.text for each in rest[1:]], None))
        call.streams.out.append(output if output is not None else unknown(f"command:{known(rest[0].text)}"))
        shell.done(True)
        return _NORMAL
    return shell.external(call.node, rest, call.open_ended, call.streams) if rest else _NORMAL


def _printf(call: Invocation) -> int:
    """`printf`, with `-v NAME` into a variable."""
    shell, elements = call.shell, call.elements
    arguments = elements[1:]
    name = None
    if len(arguments) > 1 and known(arguments[0].text) == "-v":
        name = known(arguments[1].text)
        arguments = arguments[2:]
    shell.done(True)
    if call.streams.out is None and name is None:
        return _NORMAL
    shell.spend(1)
    texts = [each.text for each in arguments]
    output = COMMANDS["printf"](Call(shell, "printf", texts, None))
    if output is None:
        reason = next((piece.unknown for text in texts for piece in text if piece.unknown is not None), None)
        output = unknown(reason or "command:printf")
    if name is not None:
        if name.isidentifier():
            shell.assign_text(name, output)
    elif call.streams.out is not None:
        call.streams.out.append(output)
    return _NORMAL


def _nothing(call: Invocation) -> int:
    """Commands without effect on a launch: `trap`, `alias`, `:`."""
    call.shell.done(True)
    return _NORMAL


BUILTINS: dict[str, Builtin] = {
    **READERS,
    "unset": _unset,
    "set": _set,
    "shift": _shift,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "cd": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _break,
    "test": _test,
    "[": _test,
    "let": _let,
    "exec": _exec,
    "command": _command,
    "printf": _printf,
    "ulimit": ulimit,
    "trap": _nothing,
    "alias": _nothing,
    "unalias": _nothing,
    ":": _nothing,
}
