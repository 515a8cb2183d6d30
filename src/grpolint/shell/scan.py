"""Words of a script: quotes, expansions, here-documents. The statements around them are in `grpolint.shell.parse`."""

from __future__ import annotations

import re

from grpolint.documents.source import Problem, Source, Span
from grpolint.regex import regex
from grpolint.shell.syntax import (
    Arithmetic,
    HereDocument,
    Literal,
    Node,
    Parameter,
    Process,
    Substitution,
    Word,
    WordPiece,
)

__all__ = ["Exhausted", "Scanner", "ShellError", "Unclosed"]

MAX_DEPTH = 30
"""Constructs inside one another. Each costs up to ten frames of Python's stack."""
_MAX_PROBLEMS = 20
_ARITHMETIC_REACH = 4096
"""Longest `((...))` that is told apart from nested parentheses, in characters."""

_PLAIN = regex(r"""[^\\'"$`;&|<>() \t\n]+""")
_QUOTED_PLAIN = regex(r"""[^"\\$`]+""")
_EXPRESSION_PLAIN = regex(r"""[^\\'"$`()]+""")
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_PARAMETER = regex(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_OPERATOR = regex(r":[-=?+]|##|#|%%|%|//|/[#%]|/|\^\^|\^|,,|,|@[A-Za-z]|[-=?+]|:")
_BALANCE = regex(r"""[()]|'[^']*'|"(?:[^"\\]|\\.)*"|\\.""", re.DOTALL)
_ANSI_ESCAPE = regex(r"\\(?:x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_ANSI = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_UNTIL: dict[str, re.Pattern[str]] = {}
_PATTERN_OPERATORS = ("#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,")


class ShellError(Exception):
    """A syntax error at a character offset. The statement it stands in is left out; reading goes on in the next line."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Unclosed(ShellError):
    """A quote or substitution that never ends: what follows it belongs to nothing certain."""


class Exhausted(Exception):
    """The text is longer than any launch script: reading stops where it stands."""


def _ansi(match: re.Match[str]) -> str:
    escape = match.group()
    kind = escape[1]
    if kind in "xuU" and len(escape) > 2:
        digits = escape[2:]
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else ""
    if kind in "01234567":
        return chr(int(escape[1:], 8) & 0xFF)
    if kind == "c" and len(escape) > 2:
        return chr(ord(escape[2]) & 0x1F)
    return _ANSI.get(kind, escape[1:] if kind in "\\'\"?" else escape)


def plain_until(stops: str) -> re.Pattern[str]:
    """A run of ordinary characters that ends before any of `stops`."""
    pattern = _UNTIL.get(stops)
    if pattern is None:
        pattern = _UNTIL[stops] = re.compile(f"[^\\\\'\"$`{re.escape(stops)}]+")
    return pattern


class Scanner:
    """Reads words at a position of a text. `Parser` adds the statements, which substitutions need."""

    def __init__(self, source: Source, depth: int = 0) -> None:
        self.source = source
        text = source.text
        self.carriage_returns = False
        if "\r\n" in text and text.count("\r\n") * 10 >= text.count("\n") * 9:
            # Bash would trip over each line end; with blanks in their place the rest of the file can be read.
            text = text.replace("\r\n", " \n")
            self.carriage_returns = True
        self.text = text
        self.at = 0
        self.end = len(text)
        self.depth = depth
        self.fuel = min(20_000 + len(text) // 2, 400_000)
        self.pending: list[HereDocument] = []
        self.problems: list[Problem] = []

    def statements(self, closers: tuple[str, ...]) -> list[Node]:
        """Statements up to one of the closing words; defined by the parser."""
        raise NotImplementedError

    def problem(self, message: str, at: int) -> None:
        """Note a syntax error at an offset."""
        if len(self.problems) < _MAX_PROBLEMS:
            at = min(at, len(self.text))
            self.problems.append(Problem(message, Span(self.source, at, min(at + 1, len(self.text)))))

    def enter(self) -> None:
        """Go one construct deeper; raises beyond the bound."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellError(f"constructs nested deeper than {MAX_DEPTH} are not read", self.at)

    def word(self) -> Word | None:
        """The word that begins here, None if none does."""
        self.fuel -= 1
        if self.fuel < 0:
            raise Exhausted
        text, end = self.text, self.end
        start = at = self.at
        match = _PLAIN.match(text, at, end)
        if match is not None:
            at = match.end()
            if at >= end or text[at] in " \t\n;&|)":
                self.at = at
                return Word([Literal(text[start:at], start, at, False)], start, at)
        pieces: list[WordPiece] = []
        at = start
        while at < end:
            match = _PLAIN.match(text, at, end)
            if match is not None:
                pieces.append(Literal(match.group(), at, match.end(), False))
                at = match.end()
                continue
            char = text[at]
            if char in " \t\n;&|)":
                break
            if char in "<>":
                if at + 1 >= end or text[at + 1] != "(":
                    break
                self.at = at
                pieces.append(self._process())
                at = self.at
            elif char == "(":
                if at == start or text[at - 1] not in "?*+@!":
                    break
                close = self._balanced(at + 1)
                pieces.append(Literal(text[at:close], at, close, False))
                at = close
            else:
                self.at = at
                self.special(pieces, char)
                at = self.at
        self.at = at
        return Word(pieces, start, at) if at > start else None

    def special(self, pieces: list[WordPiece], char: str) -> None:
        """A quote, an escape or an expansion outside of quotes."""
        at = self.at
        if char == "$":
            self._dollar(pieces, False)
        elif char == '"':
            self.at = at + 1
            self._double_quoted(pieces)
        elif char == "'":
            self._single_quoted(pieces)
        elif char == "`":
            self._backquoted(pieces, False)
        elif at + 1 >= self.end:
            self.at = self.end
        elif self.text[at + 1] == "\n":
            self.at = at + 2
        else:
            pieces.append(Literal(self.text[at + 1], at, at + 2, True))
            self.at = at + 2

    def _single_quoted(self, pieces: list[WordPiece]) -> None:
        start = self.at + 1
        close = self.text.find("'", start, self.end)
        if close < 0:
            raise Unclosed("this single quote is never closed", self.at)
        pieces.append(Literal(self.text[start:close], start, close, True))
        self.at = close + 1

    def _ansi_quoted(self, pieces: list[WordPiece]) -> None:
        start = at = self.at + 2
        text = self.text
        while True:
            close = text.find("'", at, self.end)
            if close < 0:
                raise Unclosed("this single quote is never closed", self.at)
            slashes = len(text[start:close]) - len(text[start:close].rstrip("\\"))
            if slashes % 2 == 0:
                break
            at = close + 1
        pieces.append(Literal(_ANSI_ESCAPE.sub(_ansi, text[start:close]), start, close, True))
        self.at = close + 1

    def _double_quoted(self, pieces: list[WordPiece]) -> None:
        """From behind the opening quote to behind the closing one."""
        text, end = self.text, self.end
        opening = self.at
        found = len(pieces)
        self.enter()
        while True:
            match = _QUOTED_PLAIN.match(text, self.at, end)
            if match is not None:
                pieces.append(Literal(match.group(), self.at, match.end(), True))
                self.at = match.end()
            if self.at >= end:
                raise Unclosed("this double quote is never closed", opening - 1)
            if text[self.at] == '"':
                break
            self.inside_quotes(pieces, '$`"\\')
        self.depth -= 1
        if len(pieces) == found:
            pieces.append(Literal("", opening, opening, True))
        self.at += 1

    def inside_quotes(self, pieces: list[WordPiece], escapable: str) -> None:
        """One special character inside double quotes or a here-document."""
        text, at = self.text, self.at
        char = text[at]
        if char == "$":
            self._dollar(pieces, True)
        elif char == "`":
            self._backquoted(pieces, True)
        elif char == "\\" and at + 1 < self.end and text[at + 1] == "\n":
            self.at = at + 2
        elif char == "\\" and at + 1 < self.end and text[at + 1] in escapable:
            pieces.append(Literal(text[at + 1], at, at + 2, True))
            self.at = at + 2
        else:
            pieces.append(Literal(char, at, at + 1, True))
            self.at = at + 1

    def _dollar(self, pieces: list[WordPiece], quoted: bool) -> None:
        """Whatever `$` begins here."""
        self.fuel -= 1
        text, start = self.text, self.at
        following = text[start + 1] if start + 1 < self.end else ""
        match = _NAME.match(text, start + 1, self.end)
        if match is not None:
            self.at = match.end()
            pieces.append(Parameter(match.group(), start, self.at, quoted))
        elif following == "{":
            pieces.append(self._braces(quoted))
        elif following == "(":
            pieces.append(self._parenthesis(quoted))
        elif following and following in "0123456789@*#?$!-":
            self.at = start + 2
            pieces.append(Parameter(following, start, self.at, quoted))
        elif following == "[":
            self.at = start + 2
            expression = self.until("]", True)
            self._close("]", start)
            pieces.append(Arithmetic(expression, start, self.at, quoted))
        elif following == "'" and not quoted:
            self._ansi_quoted(pieces)
        elif following == '"' and not quoted:
            self.at = start + 2
            self._double_quoted(pieces)
        else:
            self.at = start + 1
            pieces.append(Literal("$", start, self.at, quoted))

    def _close(self, char: str, opening: int) -> None:
        if self.at >= self.end or self.text[self.at] != char:
            raise Unclosed(f"`{self.text[opening : opening + 2]}` is never closed", opening)
        self.at += 1

    def _parenthesis(self, quoted: bool) -> Arithmetic | Substitution:
        text, start = self.text, self.at
        if text.startswith("((", start + 1) and self.is_arithmetic(start + 3):
            self.at = start + 3
            expression = self.expression()
            return Arithmetic(expression, start, self.at, quoted)
        self.at = start + 2
        body = self._nested()
        self._close(")", start)
        return Substitution(body, start, self.at, quoted)

    def _nested(self) -> list[Node]:
        """Statements up to a closing parenthesis, with here-documents of their own."""
        self.enter()
        pending, self.pending = self.pending, []
        body = self.statements((")",))
        self.pending = [*pending, *self.pending]
        self.depth -= 1
        return body

    def _process(self) -> Process:
        start = self.at
        self.at = start + 2
        body = self._nested()
        self._close(")", start)
        return Process(body, self.text[start], start, self.at)

    def is_arithmetic(self, at: int) -> bool:
        """Whether what begins behind `((` ends with `))`."""
        limit = min(self.end, at + _ARITHMETIC_REACH)
        depth = 0
        for match in _BALANCE.finditer(self.text, at, limit):
            bracket = match.group()
            if bracket == "(":
                depth += 1
            elif bracket == ")":
                if depth == 0:
                    return self.text.startswith(")", match.end())
                depth -= 1
        return False

    def expression(self) -> Word:
        """An arithmetic expression from behind `((` to behind `))`."""
        self.enter()
        start = self.at
        pieces: list[WordPiece] = []
        depth = 0
        while self.at < self.end:
            match = _EXPRESSION_PLAIN.match(self.text, self.at, self.end)
            if match is not None:
                pieces.append(Literal(match.group(), self.at, match.end(), True))
                self.at = match.end()
                continue
            char = self.text[self.at]
            if char == ")" and depth == 0:
                break
            if char in "()":
                depth += 1 if char == "(" else -1
                pieces.append(Literal(char, self.at, self.at + 1, True))
                self.at += 1
            elif char in "\"'":
                self.at += 1
            else:
                self.inside_quotes(pieces, '$`"\\')
        end = self.at
        if not self.text.startswith("))", end):
            raise Unclosed("`((` is never closed", start - 2)
        self.at = end + 2
        self.depth -= 1
        return Word(pieces, start, end)

    def _balanced(self, at: int) -> int:
        """Offset behind the parenthesis that closes the one before `at`."""
        depth = 1
        for match in _BALANCE.finditer(self.text, at, min(self.end, at + _ARITHMETIC_REACH)):
            bracket = match.group()
            depth += (bracket == "(") - (bracket == ")")
            if depth == 0:
                return match.end()
        raise ShellError("unexpected `(`", at - 1)

    def _backquoted(self, pieces: list[WordPiece], quoted: bool) -> None:
        start, text = self.at, self.text
        close = start + 1
        while close < self.end and text[close] != "`":
            close += 2 if text[close] == "\\" else 1
        if close >= self.end:
            raise Unclosed("this backquote is never closed", start)
        raw = text[start + 1 : close]
        self.enter()
        if "\\" in raw:
            escapable = '$`\\"' if quoted else "$`\\"
            inner = re.sub(r"\\(.)", lambda m: m.group(1) if m.group(1) in escapable else m.group(), raw)
            source = Source(self.source.path, inner, Span(self.source, start, close + 1))
            other = type(self)(source, self.depth)
            pieces.append(Substitution(other.statements(()), start, close + 1, quoted, source))
            self.problems.extend(other.problems)
        else:
            end, pending = self.end, self.pending
            self.at, self.end, self.pending = start + 1, close, []
            pieces.append(Substitution(self.statements(()), start, close + 1, quoted))
            self.end, self.pending = end, pending
        self.depth -= 1
        self.at = close + 1

    def until(self, stops: str, quoted: bool, pattern: bool = False) -> Word:
        """A word inside `${...}`, up to one of the characters in `stops` outside of quotes.

        `quoted` says that the whole stands inside double quotes; in a `pattern` single quotes quote even there.
        """
        plain = plain_until(stops)
        start = self.at
        pieces: list[WordPiece] = []
        self.enter()
        while self.at < self.end:
            match = plain.match(self.text, self.at, self.end)
            if match is not None:
                pieces.append(Literal(match.group(), self.at, match.end(), False))
                self.at = match.end()
                continue
            char = self.text[self.at]
            if char in stops:
                break
            if char == '"':
                self.at += 1
                self._double_quoted(pieces)
            elif char == "'":
                if quoted and not pattern:
                    pieces.append(Literal(char, self.at, self.at + 1, False))
                    self.at += 1
                else:
                    self._single_quoted(pieces)
            elif char == "$" and not quoted:
                self._dollar(pieces, False)
            elif char == "\\" and (pattern or not quoted):
                self.special(pieces, char)
            else:
                self.inside_quotes(pieces, '$`"\\}')
        self.depth -= 1
        return Word(pieces, start, self.at)

    def _braces(self, quoted: bool) -> Parameter:
        """`${...}`."""
        text, start = self.text, self.at
        found = Parameter("", start, start, quoted)
        at = start + 2
        if text.startswith("#", at) and not text.startswith("#}", at):
            match = _PARAMETER.match(text, at + 1, self.end)
            if match is not None and text[match.end() : match.end() + 1] in ("}", "["):
                found.length = True
                at += 1
        elif text.startswith("!", at) and not text.startswith("!}", at):
            found.indirect = True
            at += 1
        match = _PARAMETER.match(text, at, self.end)
        if match is None:
            close = text.find("}", at, self.end)
            if close < 0:
                raise Unclosed("`${` is never closed", start)
            raise ShellError(f"bad substitution `{text[start : min(close + 1, start + 40)]}`", start)
        found.name = match.group()
        self.at = match.end()
        if text.startswith("[", self.at) and (found.name[0].isalpha() or found.name[0] == "_"):
            self._subscript(found)
        if found.indirect and text[self.at : self.at + 2] in ("@}", "*}"):
            found.operator = "names"
            self.at += 1
        elif not text.startswith("}", self.at):
            self._operator(found)
        self._close("}", start)
        found.end = self.at
        return found

    def _subscript(self, found: Parameter) -> None:
        at = self.at
        if self.text[at + 1 : at + 3] in ("@]", "*]"):
            found.subscript = self.text[at + 1]
            self.at = at + 3
            return
        self.at = at + 1
        found.subscript = self.until("]", found.quoted, pattern=True)
        self._close("]", at)

    def _operator(self, found: Parameter) -> None:
        match = _OPERATOR.match(self.text, self.at, self.end)
        if match is None:
            raise ShellError(f"bad substitution `{self.text[found.start : found.start + 30]}`", found.start)
        operator = found.operator = match.group()
        self.at = match.end()
        pattern = operator in _PATTERN_OPERATORS
        if operator == ":":
            found.argument = self.until(":}", True)
            if self.text.startswith(":", self.at):
                self.at += 1
                found.replacement = self.until("}", True)
        elif operator[0] == "/":
            # A slash that begins the pattern belongs to it.
            opening = (
                [Literal("/", self.at, self.at + 1, True)]
                if operator == "//" and self.text.startswith("/", self.at)
                else []
            )
            self.at += len(opening)
            found.argument = self.until("/}", found.quoted, pattern)
            found.argument = Word([*opening, *found.argument.pieces], found.argument.start, found.argument.end)
            if self.text.startswith("/", self.at):
                self.at += 1
                found.replacement = self.until("}", found.quoted, pattern)
        elif operator[0] != "@":
            found.argument = self.until("}", found.quoted, pattern)
