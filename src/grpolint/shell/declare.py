"""`export`, `declare`, `local`, `readonly`, `typeset`: attributes of variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grpolint.documents.source import Span
from grpolint.shell.pieces import Element, Piece, assigned, known
from grpolint.shell.state import Variable
from grpolint.shell.syntax import Assignment
from grpolint.values import Origin

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["declare"]


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
                if command == "export" and "n" in text:
                    letters, removed = letters.replace("x", ""), "x"
                elif text[0] == "-":
                    letters += text[1:]
                else:
                    removed += text[1:]
                assign_global = assign_global or "g" in text
                continue
            _declare_element(shell, command, letters, argument, inside and not assign_global)
            name = (known(argument.text) or "").partition("=")[0]
            if removed and name in shell.state.variables:
                _remove_attributes(shell, name, removed)
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
    old = shell.state.variables.get(name)
    # A local variable is exported if the one it hides is.
    shell.set_variable(name, Variable(None, items, old is not None and old.exported))


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
