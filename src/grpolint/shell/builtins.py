"""Bash's own commands, as far as they change what a launch receives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved, evaluate
from grpolint.shell.commands import COMMANDS, Call
from grpolint.shell.conditions import decide_arguments
from grpolint.shell.parameters import NeedsArm
from grpolint.shell.pieces import (
    EMPTY,
    ComposedSource,
    Element,
    Piece,
    Text,
    assigned,
    concatenate,
    known,
    literal,
    split_lines,
    unknown,
)
from grpolint.shell.state import Positional, Variable
from grpolint.shell.streams import Streams, take_field, trim_blanks
from grpolint.shell.syntax import Assignment, Simple
from grpolint.shell.words import split_fields
from grpolint.values import Origin

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["BUILTINS", "declare"]

_NORMAL, _EXIT, _RETURN, _BREAK, _CONTINUE = range(5)

Builtin = Callable[["Evaluator", list[Element], bool, Streams, Simple], int]


def declare(shell: Evaluator, command: str, arguments: Sequence[Element | Assignment]) -> None:
    """`export`, `declare`, `local`, `readonly`, `typeset`: attributes and assignments."""
    letters = "x" if command == "export" else ""
    removed = ""
    assign_global = False
    inside = bool(shell.state.frames)
    for argument in arguments:
        if isinstance(argument, Element):
            text = known(argument.text)
            if text is not None and text[:1] in "-+" and len(text) > 1:
                if text[0] == "-":
                    letters += text[1:]
                else:
                    removed += text[1:]
                assign_global = assign_global or "g" in text
                continue
            _declare_element(shell, command, letters, argument, inside and not assign_global)
            continue
        if inside and not assign_global and command in ("local", "declare", "typeset"):
            _localise(shell, argument.name)
            if not argument.append:
                _forget_value(shell, argument.name, letters)
        _mark_attributes(shell, argument.name, letters, before=True)
        shell.assign(argument)
        _mark_attributes(shell, argument.name, letters)
        if removed:
            _remove_attributes(shell, argument.name, removed)


def _declare_element(shell: Evaluator, command: str, letters: str, element: Element, local: bool) -> None:
    """A name without value, or `NAME=value` that came out of an expansion (`export $(cat .env)`)."""
    text = element.text
    head = text[0].text if text and text[0].unknown is None else ""
    name, equals, _ = head.partition("=")
    if not name.replace("_", "a").isalnum() or name[:1].isdigit():
        return
    if local and command in ("local", "declare", "typeset"):
        _localise(shell, name)
        _forget_value(shell, name, letters)
    if "f" in letters or "F" in letters:
        return
    _mark_attributes(shell, name, letters, before=True)
    if equals:
        rest = (text[0].slice(len(name) + 1, len(text[0].text)), *text[1:])
        span = element.span if element.span is not None else Span(shell.source, 0, 0)
        shell.assign_text(name, assigned(tuple(p for p in rest if p.text or p.unknown is not None), span, name))
        _mark_attributes(shell, name, letters)
    elif command == "export" and name not in shell.state.variables:
        # Exported, should it ever be assigned.
        shell.state.variables.setdefault(name, Variable(None, None, True))
        if shell.state.variables[name].value is None:
            shell.state.variables[name] = _unset_export(name)
    else:
        _mark_attributes(shell, name, letters)


def _unset_export(name: str) -> Variable:
    """`export X` without a value: what the environment gives, if anything."""
    return Variable((Piece("", f"env:{name}", (Origin("environment", None, name),)),), None, True)


def _localise(shell: Evaluator, name: str) -> None:
    frame = shell.state.frames[-1]
    if name not in frame:
        frame[name] = shell.state.variables.get(name)


def _forget_value(shell: Evaluator, name: str, letters: str) -> None:
    items: dict[int | str, Element] | None = {} if "a" in letters or "A" in letters else None
    shell.set_variable(name, Variable(None, items))


def _mark_attributes(shell: Evaluator, name: str, letters: str, before: bool = False) -> None:
    old = shell.state.variables.get(name)
    kept = "".join(letter for letter in letters if letter in "iluAn")
    exported = "x" in letters
    if old is None:
        if kept or "a" in letters or (exported and before):
            items: dict[int | str, Element] | None = {} if "A" in letters or "a" in letters else None
            shell.set_variable(name, Variable(None, items, exported, kept))
        return
    attributes = "".join(dict.fromkeys(old.attributes + kept))
    exported = exported or old.exported
    if attributes != old.attributes or exported != old.exported:
        items = old.items
        if "A" in attributes and items is None:
            items = {}
        shell.set_variable(name, Variable(old.value, items, exported, attributes, old.open))


def _remove_attributes(shell: Evaluator, name: str, letters: str) -> None:
    old = shell.state.variables[name]
    attributes = "".join(letter for letter in old.attributes if letter not in letters)
    shell.set_variable(name, Variable(old.value, old.items, old.exported and "x" not in letters, attributes, old.open))


def _unset(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
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
                items.pop(int(key) if key.isdigit() else key.strip("\"'"), None)
                shell.set_variable(base, Variable(None, items, variable.exported, variable.attributes, variable.open))
        else:
            shell.set_variable(name, Variable())
    shell.done(True)
    return _NORMAL


def _set(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    shell.done(True)
    at = 1
    while at < len(elements):
        text = known(elements[at].text)
        if text == "--":
            shell.state.positional = Positional(elements[at + 1 :], open_ended)
            return _NORMAL
        if text is None or text[:1] not in ("-", "+") or len(text) < 2:
            shell.state.positional = Positional(elements[at:], open_ended)
            return _NORMAL
        if text in ("-o", "+o"):
            if at + 1 < len(elements) and known(elements[at + 1].text) == "allexport":
                shell.state.export_all = text == "-o"
            at += 2
            continue
        if "a" in text[1:]:
            shell.state.export_all = text[0] == "-"
        at += 2 if "o" in text[1:] else 1
    if open_ended and len(elements) == 1:
        shell.state.positional = Positional((), True)
    return _NORMAL


def _shift(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    count = 1
    if len(elements) > 1:
        text = known(elements[1].text)
        count = int(text) if text is not None and text.isdigit() and len(text) < 6 else 1
    position = shell.state.positional
    left = position.items[count:]
    beyond = max(count - len(position.items), 0) if position.open else 0
    if count > len(position.items) and not position.open:
        shell.done(False)
        return _NORMAL
    shell.state.positional = Positional(left, position.open, position.base + beyond, max(position.least - beyond, 0))
    shell.done(True if not beyond else None, assumed=True)
    return _NORMAL


def _eval(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    parts: list[Text] = []
    for element in elements[1:]:
        if parts:
            parts.append((Piece(" "),))
        parts.append(element.text)
    text = concatenate(parts)
    if not text:
        shell.done(True)
        return _NORMAL
    source = ComposedSource(shell.source.path, text, Span(shell.source, node.start, node.end))
    flow = shell.include(source, streams)
    if streams.out is not None and not streams.out:
        pass
    return flow


def _source(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    shell.done(True, assumed=True)
    if len(elements) < 2:
        return _NORMAL
    found = shell.find_script(elements[1].text)
    if found is None:
        shell.done(None, assumed=True)
        return _NORMAL
    position = shell.state.positional
    if len(elements) > 2:
        shell.state.positional = Positional(elements[2:], open_ended)
    previous = shell.previous
    flow = shell.include(found, streams)
    shell.previous = previous
    if len(elements) > 2:
        shell.state.positional = position
    if flow == _RETURN:
        flow = _NORMAL
    shell.done(True)
    return flow


def _cd(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
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


def _pushd(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    if len(shell.state.directories) < 50:
        shell.state.directories = (*shell.state.directories, shell.state.cwd)
    return _cd(shell, elements, open_ended, Streams(None, None), node)


def _popd(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    if shell.state.directories:
        shell.state.cwd = shell.state.directories[-1]
        shell.state.directories = shell.state.directories[:-1]
    shell.done(True)
    return _NORMAL


def _exit(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    _leave(shell, elements)
    shell.exit_status = shell.status
    return _EXIT


def _return(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    _leave(shell, elements)
    return _RETURN


def _leave(shell: Evaluator, elements: list[Element]) -> None:
    if len(elements) > 1:
        text = known(elements[1].text)
        shell.done(text == "0" if text is not None else None)


def _break(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    text = known(elements[1].text) if len(elements) > 1 else "1"
    shell.levels = int(text) if text is not None and text.isdigit() and len(text) < 4 else 1
    shell.done(True)
    return _CONTINUE if known(elements[0].text) == "continue" else _BREAK


def _test(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    arguments = elements[1:]
    if known(elements[0].text) == "[":
        if not arguments or known(arguments[-1].text) != "]":
            shell.done(False)
            return _NORMAL
        arguments = arguments[:-1]
    shell.done(decide_arguments(shell, arguments))
    return _NORMAL


def _let(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    shell.done(None)
    for element in elements[1:]:
        text = known(element.text)
        if text is None:
            return _NORMAL

        def get(name: str, subscript: str | None) -> str | None:
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


def _read(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
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
    line, ended = streams.stdin.line(delimiter) if streams.stdin is not None else (None, False)
    separators = shell.separators()
    if line is None:
        for name, span in names:
            shell.assign_text(name, unknown(f"input:{name}", span=span, what="input"))
        if array:
            shell.set_variable(array, Variable(None, {0: Element(unknown(f"input:{array}"), None)}))
        shell.done(None, assumed=streams.stdin is None)
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
        place = span if span is not None else Span(shell.source, node.start, node.end)
        shell.assign_text(name, assigned(field, place, name))
    shell.done(ended)
    return _NORMAL


def _mapfile(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
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
    content = streams.stdin.all() if streams.stdin is not None else None
    if content is None:
        items: dict[int | str, Element] = {0: Element(unknown(f"input:{name}"), None)}
    else:
        ending = () if strip else (Piece(delimiter),)
        items = {i: Element((*line, *ending), None) for i, line in enumerate(split_lines(content, delimiter)[:5000])}
    shell.set_variable(name, Variable(None, items))
    shell.done(True)
    return _NORMAL


def _getopts(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    """`getopts spec name`: over known arguments; without any it ends at once."""
    spec = known(elements[1].text) if len(elements) > 1 else None
    name = known(elements[2].text) if len(elements) > 2 else None
    position = shell.state.positional
    index_text = shell.state.variables.get("OPTIND")
    index = int(known(index_text.value or EMPTY) or "1") if index_text is not None else 1
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


def _exec(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    return shell.external(node, elements, open_ended, streams)


def _command(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    """`command NAME ...` runs it past functions; `command -v` asks."""
    rest = elements[1:]
    first = known(rest[0].text) if rest else "-v"
    if first is not None and first.startswith("-") and first != "-p":
        if streams.out is not None:
            streams.out.append(unknown("command:command"))
        shell.done(None)
        return _NORMAL
    rest = rest[1:] if first == "-p" else rest
    builtin = BUILTINS.get(known(rest[0].text) or "") if rest else None
    if builtin is not None:
        return builtin(shell, rest, open_ended, streams, node)
    computed = COMMANDS.get(known(rest[0].text) or "") if rest else None
    if computed is not None and streams.out is not None:
        output = computed(Call(shell, known(rest[0].text) or "", [each.text for each in rest[1:]], None))
        streams.out.append(output if output is not None else unknown(f"command:{known(rest[0].text)}"))
        shell.done(True)
        return _NORMAL
    return shell.external(node, rest, open_ended, streams) if rest else _NORMAL


def _printf(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    """`printf`, with `-v NAME` into a variable."""
    arguments = elements[1:]
    name = None
    if len(arguments) > 1 and known(arguments[0].text) == "-v":
        name = known(arguments[1].text)
        arguments = arguments[2:]
    shell.done(True)
    if streams.out is None and name is None:
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
    elif streams.out is not None:
        streams.out.append(output)
    return _NORMAL


def _nothing(shell: Evaluator, elements: list[Element], open_ended: bool, streams: Streams, node: Simple) -> int:
    """Commands without effect on a launch: `trap`, `alias`, `:`."""
    shell.done(True)
    return _NORMAL


BUILTINS: dict[str, Builtin] = {
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
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "getopts": _getopts,
    "exec": _exec,
    "command": _command,
    "printf": _printf,
    "trap": _nothing,
    "alias": _nothing,
    "unalias": _nothing,
    ":": _nothing,
}
