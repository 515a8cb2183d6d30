"""The inside of `[[ ]]`, and the blanks, comments and line ends between words."""

from __future__ import annotations

from grpolint.regex import regex
from grpolint.shell.heredocs import read_documents
from grpolint.shell.scan import Scanner, ShellError
from grpolint.shell.syntax import Binary, Condition, Literal, Logic, Unary, Word, WordPiece

__all__ = ["TestParser"]

_BLANKS = regex(r"(?:[ \t]+|\\(?:\n|\Z))*")
_LINES = regex(r"(?:[ \t]+|\\(?:\n|\Z)|#[^\n]*)*")
_UNARY = frozenset("abcdefghknoprstuvwxzGLNORS")
_BINARY = regex(r"==|=~|=|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=\s)")
_REGEX_PLAIN = regex(r"[^\\'\"$`() \t\n]+")


class TestParser(Scanner):
    """Adds blanks and conditions to the words of a scanner."""

    def skip_blanks(self) -> None:
        """Go past blanks, continued line ends and a comment."""
        at = self.at
        if at < self.end and self.text[at] in " \t\\":
            match = _BLANKS.match(self.text, at, self.end)
            at = match.end() if match is not None else at
        if at < self.end and self.text[at] == "#":
            line_end = self.text.find("\n", at, self.end)
            at = line_end if line_end >= 0 else self.end
        self.at = at

    def skip_lines(self) -> None:
        """Go past blanks, comments and line ends."""
        while True:
            match = _LINES.match(self.text, self.at, self.end)
            if match is not None:
                self.at = match.end()
            if self.at >= self.end or self.text[self.at] != "\n":
                return
            self.newline()

    def newline(self) -> None:
        """Go past a line end, and past the here-documents announced before it."""
        self.at += 1
        if self.pending:
            read_documents(self)

    def conditional(self) -> Condition:
        """The inside of `[[ ]]`, consumed with its end."""
        condition = self._alternatives()
        self.skip_lines()
        if self._conditional_end():
            self.at += 2
            return condition
        raise ShellError("`[[` without `]]`", self.at)

    def _conditional_end(self) -> bool:
        return self.text.startswith("]]", self.at) and self.at + 2 <= self.end

    def _alternatives(self) -> Condition:
        self.enter()
        left = self._conjunction()
        self.skip_lines()
        while self.text.startswith("||", self.at):
            self.at += 2
            left = Logic("||", left, self._conjunction())
            self.skip_lines()
        self.depth -= 1
        return left

    def _conjunction(self) -> Condition:
        left = self._test()
        self.skip_lines()
        while self.text.startswith("&&", self.at):
            self.at += 2
            left = Logic("&&", left, self._test())
            self.skip_lines()
        return left

    def _test(self) -> Condition:
        self.skip_lines()
        text = self.text
        negations = 0
        while text.startswith("!", self.at) and text[self.at + 1 : self.at + 2].isspace():
            negations += 1
            self.at += 1
            self.skip_lines()
        condition: Condition
        if text.startswith("(", self.at):
            self.at += 1
            condition = self._alternatives()
            if not text.startswith(")", self.at):
                raise ShellError("`(` without `)` in `[[ ]]`", self.at)
            self.at += 1
        else:
            condition = self._comparison()
        return Logic("!", condition, None) if negations % 2 else condition

    def _comparison(self) -> Condition:
        left = self.word()
        if left is None or left.literal == "]]":
            raise ShellError("a comparison is missing in `[[ ]]`", self.at)
        self.skip_lines()
        operator = left.literal
        unary = operator is not None and len(operator) == 2 and operator[0] == "-" and operator[1] in _UNARY
        if unary and not self._conditional_end() and not self.text.startswith(("&&", "||", ")"), self.at):
            operand = self.word()
            if operand is not None:
                return Unary(operator or "", operand)
        match = _BINARY.match(self.text, self.at, self.end)
        if match is None:
            return Unary("-n", left)
        self.at = match.end()
        self.skip_lines()
        right = self._regular_expression() if match.group() == "=~" else self.word()
        if right is None:
            raise ShellError(f"nothing follows `{match.group()}`", self.at)
        return Binary(match.group(), left, right)

    def _regular_expression(self) -> Word | None:
        """The right side of `=~`, in which parentheses and `|` are ordinary characters."""
        start = self.at
        pieces: list[WordPiece] = []
        depth = 0
        while self.at < self.end:
            match = _REGEX_PLAIN.match(self.text, self.at, self.end)
            if match is not None:
                pieces.append(Literal(match.group(), self.at, match.end(), False))
                self.at = match.end()
                continue
            char = self.text[self.at]
            if char in " \t\n" and depth == 0:
                break
            if char in "() \t\n":
                if char == ")" and depth == 0:
                    break
                depth += (char == "(") - (char == ")")
                pieces.append(Literal(char, self.at, self.at + 1, False))
                self.at += 1
            elif char == "\\" and self.at + 1 < self.end:
                pieces.append(Literal(self.text[self.at : self.at + 2], self.at, self.at + 2, False))
                self.at += 2
            else:
                self.special(pieces, char)
        return Word(pieces, start, self.at) if pieces else None
