"""Integer arithmetic as bash computes it: 64 bits, C's operators, variables by name."""

from __future__ import annotations

from collections.abc import Callable

from grpolint.regex import regex

__all__ = ["ArithmeticFault", "Unresolved", "evaluate"]

_TOKEN = regex(
    r"\s*(?:([0-9]+#[0-9A-Za-z@_]+|0[xX][0-9A-Fa-f]+|[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?"
    r"|(\*\*|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:,()]))"
)
_PRECEDENCE = {
    "||": 3,
    "&&": 4,
    "|": 5,
    "^": 6,
    "&": 7,
    "==": 8,
    "!=": 8,
    "<": 9,
    ">": 9,
    "<=": 9,
    ">=": 9,
    "<<": 10,
    ">>": 10,
    "+": 11,
    "-": 11,
    "*": 12,
    "/": 12,
    "%": 12,
    "**": 13,
}
_ASSIGNS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="])
_MAX_LENGTH = 4000
_MAX_DEPTH = 40


class ArithmeticFault(Exception):
    """An expression that bash rejects, or a division by zero."""


class Unresolved(Exception):
    """A variable whose value is not known; `reason` and `symbolic` as in an unknown piece."""

    def __init__(self, reason: str, symbolic: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.symbolic = symbolic


Get = Callable[[str, "str | None"], "str | None"]
Put = Callable[[str, "str | None", int], None]


def evaluate(text: str, get: Get, put: Put, depth: int = 0) -> int:
    """The value of an expression whose `$` expansions are done.

    `get(name, subscript)` gives the text of a variable, None if it is unset (then it counts as 0), and may raise
    Unresolved; `put` assigns. Raises ArithmeticFault for what bash would reject.
    """
    if len(text) > _MAX_LENGTH or depth > _MAX_DEPTH:
        raise ArithmeticFault("expression too long")
    return _Evaluation(text, get, put, depth).run()


def _wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


class _Evaluation:
    def __init__(self, text: str, get: Get, put: Put, depth: int) -> None:
        self.get, self.put, self.depth = get, put, depth
        self.tokens: list[tuple[str, str, str | None]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ArithmeticFault(f"unexpected `{text[at : at + 10]}`")
            number, name, subscript, operator = match.groups()
            if number is not None:
                self.tokens.append(("number", number, None))
            elif name is not None:
                self.tokens.append(("name", name, subscript[1:-1] if subscript else None))
            else:
                self.tokens.append(("operator", operator, None))
            at = match.end()
        self.at = 0
        self.nesting = 0
        self.skipping = 0

    def run(self) -> int:
        if not self.tokens:
            return 0
        value = self.comma()
        if self.at < len(self.tokens):
            raise ArithmeticFault(f"unexpected `{self.tokens[self.at][1]}`")
        return value

    def peek(self) -> str:
        if self.at < len(self.tokens):
            kind, text, _ = self.tokens[self.at]
            return text if kind == "operator" else ""
        return ""

    def comma(self) -> int:
        value = self.assignment()
        while self.peek() == ",":
            self.at += 1
            value = self.assignment()
        return value

    def assignment(self) -> int:
        self.nesting += 1
        if self.nesting > _MAX_DEPTH:
            raise ArithmeticFault("expression nested too deeply")
        try:
            if self.at + 1 < len(self.tokens) and self.tokens[self.at][0] == "name":
                kind, operator, _ = self.tokens[self.at + 1]
                if kind == "operator" and operator in _ASSIGNS:
                    _, name, subscript = self.tokens[self.at]
                    self.at += 2
                    value = self.assignment()
                    if operator != "=":
                        value = self.apply(operator[:-1], self.variable(name, subscript), value)
                    return self.store(name, subscript, value)
            return self.ternary()
        finally:
            self.nesting -= 1

    def ternary(self) -> int:
        condition = self.binary(3)
        if self.peek() != "?":
            return condition
        self.at += 1
        first = self.skipped(not condition, self.comma)
        if self.peek() != ":":
            raise ArithmeticFault("`?` without `:`")
        self.at += 1
        second = self.skipped(bool(condition), self.assignment)
        return first if condition else second

    def skipped(self, skip: bool, parse: Callable[[], int]) -> int:
        """Parse an operand; where it is not evaluated, nothing in it counts."""
        self.skipping += skip
        try:
            return parse()
        finally:
            self.skipping -= skip

    def binary(self, least: int) -> int:
        left = self.unary()
        while True:
            operator = self.peek()
            precedence = _PRECEDENCE.get(operator, 0)
            if precedence < least:
                return left
            self.at += 1
            if operator == "&&":
                right = self.skipped(not left, lambda: self.binary(5))
                left = int(bool(left) and bool(right))
            elif operator == "||":
                right = self.skipped(bool(left), lambda: self.binary(4))
                left = int(bool(left) or bool(right))
            else:
                right = self.binary(precedence if operator == "**" else precedence + 1)
                left = self.apply(operator, left, right)

    def apply(self, operator: str, left: int, right: int) -> int:
        if self.skipping:
            return 0
        if operator in ("/", "%"):
            if right == 0:
                raise ArithmeticFault("division by zero")
            quotient = abs(left) // abs(right)
            quotient = quotient if (left < 0) == (right < 0) else -quotient
            return _wrap(quotient if operator == "/" else left - quotient * right)
        if operator == "**":
            if right < 0:
                raise ArithmeticFault("exponent less than 0")
            return _wrap(pow(left, right, 1 << 64))
        if operator in ("<<", ">>"):
            shift = right & 63
            return _wrap(left << shift) if operator == "<<" else left >> shift
        return _wrap(_SIMPLE[operator](left, right))

    def unary(self) -> int:
        self.nesting += 1
        if self.nesting > _MAX_DEPTH:
            raise ArithmeticFault("expression nested too deeply")
        try:
            return self.operand()
        finally:
            self.nesting -= 1

    def operand(self) -> int:
        if self.at >= len(self.tokens):
            raise ArithmeticFault("operand expected")
        kind, text, subscript = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return _number(text)
        if kind == "name":
            following = self.peek()
            value = self.variable(text, subscript)
            if following in ("++", "--"):
                self.at += 1
                self.store(text, subscript, value + (1 if following == "++" else -1))
            return value
        if text in ("++", "--") and self.at < len(self.tokens) and self.tokens[self.at][0] == "name":
            _, name, subscript = self.tokens[self.at]
            self.at += 1
            return self.store(name, subscript, self.variable(name, subscript) + (1 if text == "++" else -1))
        if text == "(":
            value = self.comma()
            if self.peek() != ")":
                raise ArithmeticFault("`)` expected")
            self.at += 1
            return value
        if text in ("-", "+", "!", "~", "--", "++"):
            value = self.unary()
            return {"-": -value, "!": int(not value), "~": ~value}.get(text, value)
        raise ArithmeticFault(f"unexpected `{text}`")

    def variable(self, name: str, subscript: str | None) -> int:
        if self.skipping:
            return 0
        text = self.get(name, subscript)
        if text is None or not text.strip():
            return 0
        text = text.strip()
        if text.isascii() and text.isdigit():
            return _number(text)
        return evaluate(text, self.get, self.put, self.depth + 1)

    def store(self, name: str, subscript: str | None, value: int) -> int:
        value = _wrap(value)
        if not self.skipping:
            self.put(name, subscript, value)
        return value


_SIMPLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def _number(text: str) -> int:
    if len(text) > 400:
        raise ArithmeticFault("number too long")
    try:
        if "#" in text:
            base, _, digits = text.partition("#")
            if not 2 <= int(base) <= 36:
                raise ArithmeticFault(f"invalid base in `{text}`")
            return _wrap(int(digits, int(base)))
        if text[:2] in ("0x", "0X"):
            return _wrap(int(text, 16))
        if len(text) > 1 and text[0] == "0":
            return _wrap(int(text, 8))
        return _wrap(int(text))
    except ValueError as error:
        raise ArithmeticFault(f"invalid number `{text}`") from error
