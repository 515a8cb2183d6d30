"""Tests: `[ ... ]`, `[[ ... ]]`, and what they come to when part of the values is unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from grpolint.shell import patterns
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved, evaluate
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.pieces import Element, Piece, Text, known, literal
from grpolint.shell.state import Variable
from grpolint.shell.syntax import Binary, Condition, Logic, Unary, Word

if TYPE_CHECKING:
    from grpolint.shell.context import Context

__all__ = ["decide", "decide_arguments"]

Verdict = bool | None
"""True, False, or None where nobody can tell from the text."""
_Function = Callable[[], Verdict]

_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_ABSENT = {"=": True, "==": True, "=~": True, "!=": False}
"""What a comparison gives for an empty value if emptiness is what it asks for."""
_FILE_TESTS = frozenset("abcdefghkprstuwxGLNORS")


def decide(shell: Context, condition: Condition) -> Verdict:
    """What a `[[ ]]` condition comes to."""
    if isinstance(condition, Logic):
        left = decide(shell, condition.left)
        if condition.operator == "!":
            return None if left is None else not left
        assert condition.right is not None
        if condition.operator == "&&":
            if left is False:
                return False
            right = decide(shell, condition.right)
            return False if right is False else True if left and right else None
        if left is True:
            return True
        right = decide(shell, condition.right)
        return True if right is True else False if left is False and right is False else None
    if isinstance(condition, Unary):
        return _by_arms(shell, lambda: _unary(shell, condition.operator, shell.expander.value(condition.operand)))
    return shell.comparing(lambda: _by_arms(shell, lambda: _binary(shell, condition)), _ABSENT.get(condition.operator))


def _by_arms(shell: Context, function: _Function, depth: int = 0) -> Verdict:
    """A verdict; over all alternatives of a value that has several, if they agree."""
    try:
        return function()
    except NeedsArm as needed:
        arms, piece = shell.expander.arms, needed.piece
        verdicts: set[Verdict] = set()
        for arm in range(len(piece.alternatives)):
            arms[piece.group] = arm
            try:
                verdicts.add(_by_arms(shell, function, depth + 1) if depth < 2 else None)
            finally:
                arms.pop(piece.group, None)
        return verdicts.pop() if len(verdicts) == 1 else None


def _unary(shell: Context, operator: str, text: Text) -> Verdict:
    flag = operator[1]
    if flag in "nz":
        empty = _is_empty(shell, text)
        return None if empty is None else empty == (flag == "z")
    whole = _text(shell, text)
    if flag == "v":
        return _is_set(shell, whole) if whole is not None else None
    if flag in "oR":
        return False if flag == "o" else None
    if flag in _FILE_TESTS:
        if whole == "":
            return False
        if flag in "efrs" and shell.is_written(text):
            return True
        return None
    return None


def _is_empty(shell: Context, text: Text) -> Verdict:
    whole = _text(shell, text)
    if whole is not None:
        return whole == ""
    for piece in shell.in_scenario(text, note=False):
        if piece.unknown is None:
            if piece.text:
                return False
        elif _filled(piece):
            return False
    return None


def _filled(piece: Piece) -> bool:
    """Whether an unknown of the default scenario is not empty: what is required or was demanded is there."""
    return piece.symbolic or (piece.unknown or "").startswith(("required:", "argument:", "env:", "arithmetic:"))


def _text(shell: Context, text: Text) -> str | None:
    """The text as the default scenario has it, None if it is unknown. May raise NeedsArm."""
    try:
        return shell.plain(text, scenario=True)
    except Unresolved:
        return None


def _is_set(shell: Context, name: str) -> Verdict:
    base = name.partition("[")[0]
    value = shell.expander.lookup(base)
    if value is None and shell.state.variables.get(base) is None:
        shell.note_unset(base)
    return value is not None


def _binary(shell: Context, condition: Binary) -> Verdict:
    operator = condition.operator
    left = shell.expander.value(condition.left)
    if operator in _NUMERIC:
        return _numeric(shell, operator, left, shell.expander.value(condition.right), expressions=True)
    if operator == "=~":
        return _regular(shell, left, condition.right)
    if operator in ("-nt", "-ot", "-ef"):
        return None
    if operator in ("<", ">"):
        return _ordered(shell, operator, left, shell.expander.value(condition.right))
    pattern = shell.expander.pattern(condition.right)
    if pattern is None:
        return None
    verdict = matches(shell, left, pattern)
    return verdict if verdict is None or operator != "!=" else not verdict


def matches(shell: Context, text: Text, pattern: patterns.Pattern) -> Verdict:
    """Whether a value matches a pattern; unknown parts leave it open unless the known ones contradict."""
    whole = _text(shell, text)
    if whole is not None:
        return patterns.matches(pattern, whole)
    if pattern.plain is not None:
        return None if _may_be(shell, text, pattern.plain) else False
    return True if pattern.anything else None


def _may_be(shell: Context, text: Text, other: str) -> bool:
    """Whether a partly unknown value can be equal to a text."""
    expression = "".join(
        re.escape(piece.text) if piece.unknown is None else ".+" if _filled(piece) else ".*"
        for piece in shell.in_scenario(text, note=False)
    )
    if expression.count(".") > 20 or len(other) > 5000:
        return True
    return re.fullmatch(expression, other, re.DOTALL) is not None


def _ordered(shell: Context, operator: str, left: Text, right: Text) -> Verdict:
    first, second = _text(shell, left), _text(shell, right)
    if first is None or second is None:
        return None
    return first < second if operator == "<" else first > second


def _numeric(shell: Context, operator: str, left: Text, right: Text, expressions: bool) -> Verdict:
    numbers: list[int] = []
    for text in (left, right):
        whole = _text(shell, text)
        if whole is None:
            return None
        try:
            numbers.append(_number(shell, whole, expressions))
        except ArithmeticFault:
            return False
        except Unresolved:
            return None
    return _NUMERIC[operator](numbers[0], numbers[1])


def _number(shell: Context, text: str, expressions: bool) -> int:
    if expressions:

        def get(name: str, _: str | None) -> str | None:
            value = shell.expander.lookup(name)
            if value is None:
                shell.note_unset(name)
                return None
            return shell.plain(value, scenario=True)

        return evaluate(text, get, lambda *_: None)
    stripped = text.strip()
    if not re.fullmatch(r"[-+]?[0-9]{1,18}", stripped):
        raise ArithmeticFault(f"`{text[:20]}` is not a number")
    return int(stripped)


_POSIX_CLASSES = {
    "[:space:]": r"\s",
    "[:digit:]": "0-9",
    "[:alpha:]": "a-zA-Z",
    "[:alnum:]": "a-zA-Z0-9",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:blank:]": r" \t",
    "[:xdigit:]": "0-9A-Fa-f",
}


def _regular(shell: Context, left: Text, right: Word) -> Verdict:
    subject = _text(shell, left)
    expression = ""
    for piece in right.pieces:
        text = _text(shell, shell.expander.piece(piece))
        if text is None:
            return None
        expression += re.escape(text) if piece.quoted and type(piece).__name__ == "Literal" else text
    if subject is None or len(expression) > 500 or len(subject) > 2000:
        return None
    for name, characters in _POSIX_CLASSES.items():
        expression = expression.replace(name, characters)
    if re.search(r"[*+?}]\)[*+{]", expression):
        # Nested repetition can take forever on an unlucky subject.
        return None
    try:
        found = re.search(expression, subject)
    except (re.error, RecursionError, OverflowError):
        return None
    if found is not None:
        groups = [found.group(), *(group or "" for group in found.groups())]
        shell.set_variable(
            "BASH_REMATCH", Variable(None, {index: Element(literal(each), None) for index, each in enumerate(groups)})
        )
    return found is not None


def decide_arguments(shell: Context, arguments: Sequence[Element]) -> Verdict:
    """What `test` with these arguments comes to, by the rules of POSIX for their number."""
    texts = [element.text for element in arguments]
    return _Test(shell, texts).verdict()


class _Test:
    def __init__(self, shell: Context, texts: list[Text]) -> None:
        self.shell = shell
        self.texts = texts
        self.at = 0

    def verdict(self) -> Verdict:
        count = len(self.texts)
        if count == 0:
            return False
        if count > 200:
            return None
        if count == 1:
            return self.unary("-n", self.texts[0])
        if count == 3 and self.operator(1) not in (None, "-a", "-o"):
            return self.binary(0)
        found = self.either()
        return found if self.at >= count else None

    def operator(self, index: int) -> str | None:
        if index >= len(self.texts):
            return None
        text = known(self.texts[index])
        if text in ("=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", "-a", "-o") or text in _NUMERIC:
            return text
        return None

    def unary(self, operator: str, text: Text) -> Verdict:
        return _by_arms(self.shell, lambda: _unary(self.shell, operator, text))

    def binary(self, index: int) -> Verdict:
        operator = self.operator(index + 1) or ""
        left, right = self.texts[index], self.texts[index + 2]
        compare = lambda: _by_arms(self.shell, lambda: self._compare(operator, left, right))  # noqa: E731
        return self.shell.comparing(compare, _ABSENT.get(operator))

    def _compare(self, operator: str, left: Text, right: Text) -> Verdict:
        shell = self.shell
        if operator in _NUMERIC:
            return _numeric(shell, operator, left, right, expressions=False)
        if operator in ("<", ">"):
            return _ordered(shell, operator, left, right)
        if operator in ("-nt", "-ot", "-ef"):
            return None
        first, second = _text(shell, left), _text(shell, right)
        if first is not None and second is not None:
            return (first == second) != (operator == "!=")
        plain = first if first is not None else second
        if plain is not None and not _may_be(shell, right if first is not None else left, plain):
            return operator == "!="
        return None

    def either(self) -> Verdict:
        left = self.both()
        while self.at < len(self.texts) and known(self.texts[self.at]) == "-o":
            self.at += 1
            right = self.both()
            left = True if left is True or right is True else False if left is False and right is False else None
        return left

    def both(self) -> Verdict:
        left = self.single()
        while self.at < len(self.texts) and known(self.texts[self.at]) == "-a":
            self.at += 1
            right = self.single()
            left = False if left is False or right is False else True if left and right else None
        return left

    def single(self) -> Verdict:
        if self.at >= len(self.texts):
            return None
        text = known(self.texts[self.at])
        left = len(self.texts) - self.at
        if text == "!" and left > 1:
            self.at += 1
            inner = self.single()
            return None if inner is None else not inner
        if text == "(" and left > 2:
            self.at += 1
            inner = self.either()
            self.at += 1
            return inner
        if left >= 3 and self.operator(self.at + 1) not in (None, "-a", "-o"):
            found = self.binary(self.at)
            self.at += 3
            return found
        if text is not None and len(text) == 2 and text[0] == "-" and text[1].isalpha() and left >= 2:
            found = self.unary(text, self.texts[self.at + 1])
            self.at += 2
            return found
        self.at += 1
        return self.unary("-n", self.texts[self.at - 1])
