"""Scripts to syntax trees, as bash reads them. What cannot be parsed is noted and left out; the rest is read.

A parser of its own, since the words must be taken apart exactly as bash does it (here-documents, `${X:-["a", "b"]}`,
comments and blanks in continued commands) and since any input must end within time linear in its length.
"""

from __future__ import annotations

import re

from grpolint.documents.source import Problem, Source
from grpolint.regex import regex
from grpolint.shell.parse_simple import SimpleParser
from grpolint.shell.scan import Exhausted, ShellError, Unclosed
from grpolint.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Clause,
    Conditional,
    For,
    Function,
    Group,
    If,
    Literal,
    Node,
    Pipeline,
    Simple,
    While,
    Word,
    WordPiece,
)

__all__ = ["parse"]

_BOUNDARY = r"(?=[\s;&|()<>]|$)"
_RESERVED = regex(
    r"(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|function|time|coproc|\{|\}|!|\[\[)" + _BOUNDARY
)
_CLOSING = frozenset(["then", "elif", "else", "fi", "do", "done", "esac", "}"])
_FUNCTION = regex(r"[^\s(){}<>;&|$\"'`\\#=][^\s(){}<>;&|$\"'`\\=]*[ \t]*\([ \t]*\)")
_FUNCTION_NAME = regex(r"[^\s(){}<>;&|$\"'`\\]+")
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_UNCLOSED_LIMIT = 8
"""After so many quotes that never end the file is not a script, and reading it line by line would not help."""


def parse(source: Source) -> tuple[list[Node], list[Problem]]:
    """The statements of a script and its syntax errors. Never raises."""
    parser = _Parser(source)
    return parser.program(), parser.problems


class _Parser(SimpleParser):
    def __init__(self, source: Source, depth: int = 0) -> None:
        super().__init__(source, depth)
        self.expected: list[tuple[str, ...]] = []

    def program(self) -> list[Node]:
        """All statements of the text."""
        if self.carriage_returns:
            at = self.source.text.find("\r\n")
            self.problem("the lines end with carriage returns (CRLF), which bash takes for part of the last word", at)
        found: list[Node] = []
        unclosed = 0
        while self.at < self.end:
            try:
                self._statements((), found)
                break
            except Unclosed as error:
                self._resume(error)
                unclosed += 1
                if unclosed > _UNCLOSED_LIMIT:
                    break
            except Exhausted:
                self.problem("longer than any launch script: the rest is not read", self.at)
                break
            except RecursionError:
                self._resume(ShellError("constructs are nested too deeply to be read", self.at))
        return found

    def _resume(self, error: ShellError) -> None:
        """Go on in the line after an error."""
        self.problem(str(error), error.at)
        self.depth, self.end, self.pending, self.expected = 0, len(self.text), [], []
        self._skip_line(error.at)

    def _skip_line(self, at: int) -> None:
        line_end = self.text.find("\n", at, self.end)
        self.at = line_end + 1 if line_end >= 0 else self.end

    def statements(self, closers: tuple[str, ...]) -> list[Node]:
        """Statements up to, not including, one of the closers or the end of the text."""
        found: list[Node] = []
        self._statements(closers, found)
        return found

    def _statements(self, closers: tuple[str, ...], found: list[Node]) -> None:
        self.expected.append(closers)
        depth, level = self.depth, len(self.expected)
        while True:
            self.skip_lines()
            start = self.at
            if start >= self.end or self._at_closer():
                break
            if self.at > start:
                continue
            self.fuel -= 1
            if self.fuel < 0:
                raise Exhausted
            try:
                node = self._and_or()
                if node is not None:
                    found.append(node)
                self._separator()
            except Unclosed:
                raise
            except ShellError as error:
                self.problem(str(error), error.at)
                self.depth, self.pending = depth, []
                del self.expected[level:]
                self._skip_line(max(error.at, start))
            if self.at <= start:
                self.problem(f"unexpected `{self.text[start]}`", start)
                self.at = start + 1
        self.expected.pop()

    def _at_closer(self) -> bool:
        """Whether the list ends here: at one of its closers, or at one of an enclosing construct's."""
        text, at = self.text, self.at
        char = text[at]
        if char in ";)":
            token = ")" if char == ")" else ";;" if text.startswith((";;", ";&"), at) else ""
        elif char in "tefdi}":
            match = _RESERVED.match(text, at, self.end)
            token = match.group() if match is not None and match.group() in _CLOSING else ""
        else:
            return False
        if not token:
            return False
        if any(token in each for each in self.expected):
            return True
        self.problem(f"unexpected `{token}`", at)
        self.at = at + len(token)
        return False

    def _separator(self) -> None:
        self.skip_blanks()
        if self.at >= self.end:
            return
        char = self.text[self.at]
        if char == "\n":
            self.newline()
        elif (char == ";" and not self.text.startswith((";;", ";&"), self.at)) or (
            char == "&" and not self.text.startswith("&&", self.at)
        ):
            self.at += 1
        elif char not in ";)" and _RESERVED.match(self.text, self.at, self.end) is None:
            raise ShellError(f"unexpected `{char}`", self.at)

    def _reserved(self) -> str:
        match = _RESERVED.match(self.text, self.at, self.end)
        return match.group() if match is not None else ""

    def _expect(self, word: str, opening: str, start: int) -> bool:
        """Consume a closing word; a missing one is noted and taken as given."""
        self.skip_lines()
        if word == ")":
            found = self.text.startswith(")", self.at) and self.at < self.end
        else:
            found = self._reserved() == word
        if found:
            self.at += len(word)
            return True
        line = self.source.position(start)[0]
        self.problem(f"`{opening}` in line {line} has no `{word}`", self.at if self.at < self.end else start)
        return False

    def _and_or(self) -> Node | None:
        start = self.at
        first = self._pipeline()
        if first is None:
            return None
        rest: list[tuple[str, Node]] = []
        while True:
            self.skip_blanks()
            operator = self.text[self.at : min(self.at + 2, self.end)]
            if operator not in ("&&", "||"):
                break
            self.at += 2
            self.skip_lines()
            node = self._pipeline()
            if node is None:
                raise ShellError(f"nothing follows `{operator}`", self.at)
            rest.append((operator, node))
        return AndOr(first, rest, start) if rest else first

    def _pipeline(self) -> Node | None:
        start = self.at
        negated = False
        while True:
            word = self._reserved() if self.at < self.end and self.text[self.at] in "!tc" else ""
            if word not in ("!", "time", "coproc"):
                break
            negated ^= word == "!"
            self.at += len(word)
            self.skip_blanks()
            if word == "time" and self.text.startswith("-p", self.at):
                self.at += 2
                self.skip_blanks()
        node = self._command()
        if node is None:
            return None
        commands = [node]
        while True:
            self.skip_blanks()
            if self.at >= self.end or self.text[self.at] != "|" or self.text.startswith("||", self.at):
                break
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            self.skip_lines()
            node = self._command()
            if node is None:
                raise ShellError("nothing follows `|`", self.at)
            commands.append(node)
        return Pipeline(commands, negated, start) if negated or len(commands) > 1 else commands[0]

    def _command(self) -> Node | None:
        if self.at >= self.end:
            return None
        char = self.text[self.at]
        if char not in "iftedcwus{}[(!" or char == "!":
            return self._simple_or_function(char)
        word = self._reserved()
        if char == "(":
            return self._compound("((" if self._is_arithmetic_command() else "(")
        if word in ("if", "for", "select", "while", "until", "case", "{", "[["):
            return self._compound(word)
        if word == "function":
            return self._function_keyword()
        if word in _CLOSING:
            return None
        return self._simple_or_function(char)

    def _is_arithmetic_command(self) -> bool:
        return self.text.startswith("((", self.at) and self.is_arithmetic(self.at + 2)

    def _simple_or_function(self, char: str) -> Node | None:
        match = _FUNCTION.match(self.text, self.at, self.end) if char.isalnum() or char in "_:." else None
        if match is not None:
            start = self.at
            self.at = match.end()
            return self._function(match.group().partition("(")[0].strip(), start)
        return self.simple()

    def _function_keyword(self) -> Node:
        start = self.at
        self.at += len("function")
        self.skip_blanks()
        match = _FUNCTION_NAME.match(self.text, self.at, self.end)
        if match is None:
            raise ShellError("a function without a name", self.at)
        self.at = match.end()
        self.skip_blanks()
        brackets = re.compile(r"\([ \t]*\)").match(self.text, self.at, self.end)
        if brackets is not None:
            self.at = brackets.end()
        return self._function(match.group(), start)

    def _function(self, name: str, start: int) -> Node:
        self.skip_lines()
        body = self._command()
        if body is None or isinstance(body, (Simple, Function)):
            raise ShellError(f"function `{name}` has no body", start)
        return Function(name, body, start)

    def _compound(self, word: str) -> Node:
        self.enter()
        node: If | For | ArithmeticFor | While | Case | Group | Conditional | ArithmeticCommand
        start = self.at
        if word == "if":
            node = self._if()
        elif word in ("for", "select"):
            node = self._for(word)
        elif word in ("while", "until"):
            self.at += 5
            condition = self.statements(("do",))
            node = While(condition, self._do_body(word, start), word == "until", start)
        elif word == "case":
            node = self._case()
        elif word == "[[":
            self.at += 2
            node = Conditional(self.conditional(), start)
        elif word == "((":
            self.at += 2
            node = ArithmeticCommand(self.expression(), start)
        else:
            closer = "}" if word == "{" else ")"
            self.at += 1
            body = self.statements((closer,))
            self._expect(closer, word, start)
            node = Group(body, word == "(", start)
        self.depth -= 1
        while True:
            self.skip_blanks()
            redirect = self.redirect()
            if redirect is None:
                return node
            node.redirects.append(redirect)

    def _if(self) -> If:
        start = self.at
        self.at += 2
        clauses: list[Clause] = []
        clause_start = start
        while True:
            condition = self.statements(("then",))
            self._expect("then", "if", start)
            clauses.append(Clause(condition, self.statements(("elif", "else", "fi")), clause_start))
            clause_start = self.at
            word = self._reserved()
            if word == "elif":
                self.at += 4
                continue
            if word == "else":
                self.at += 4
                clauses.append(Clause(None, self.statements(("fi",)), clause_start))
            self._expect("fi", "if", start)
            return If(clauses, start)

    def _do_body(self, opening: str, start: int) -> list[Node]:
        self.skip_lines()
        if self.text.startswith(";", self.at):
            self.at += 1
            self.skip_lines()
        closer = "}" if self._reserved() == "{" else "done"
        if closer == "}":
            self.at += 1
        else:
            self._expect("do", opening, start)
        body = self.statements((closer,))
        self._expect(closer, opening, start)
        return body

    def _for(self, word: str) -> For | ArithmeticFor:
        start = self.at
        self.at += len(word)
        self.skip_blanks()
        if self._is_arithmetic_command():
            self.at += 2
            parts = self._split(self.expression())
            if len(parts) != 3:
                raise ShellError("`for ((` needs three expressions", start)
            return ArithmeticFor(parts[0], parts[1], parts[2], self._do_body(word, start), start)
        match = _NAME.match(self.text, self.at, self.end)
        if match is None:
            raise ShellError("`for` without a variable name", self.at)
        self.at = match.end()
        self.skip_lines()
        words: list[Word] | None = None
        if re.compile(r"in" + _BOUNDARY).match(self.text, self.at, self.end) is not None:
            self.at += 2
            words = []
            while True:
                self.skip_blanks()
                each = self.word()
                if each is None:
                    break
                words.append(each)
        return For(match.group(), words, self._do_body(word, start), start)

    def _split(self, expression: Word) -> list[Word]:
        """The three expressions of `for ((;;))`."""
        parts: list[list[WordPiece]] = [[]]
        for piece in expression.pieces:
            if type(piece) is not Literal or ";" not in piece.text:
                parts[-1].append(piece)
                continue
            at = piece.start
            for index, text in enumerate(piece.text.split(";")):
                if index:
                    parts.append([])
                parts[-1].append(Literal(text, at, at + len(text), True))
                at += len(text) + 1
        return [Word(part, part[0].start, part[-1].end) if part else Word([], 0, 0) for part in parts]

    def _case(self) -> Case:
        start = self.at
        self.at += 4
        self.skip_blanks()
        subject = self.word()
        if subject is None:
            raise ShellError("`case` without a word", self.at)
        self.skip_lines()
        if re.compile(r"in" + _BOUNDARY).match(self.text, self.at, self.end) is None:
            raise ShellError("`case` without `in`", self.at)
        self.at += 2
        arms: list[tuple[list[Word], list[Node], str]] = []
        while True:
            self.skip_lines()
            if self.at >= self.end or self._reserved() == "esac":
                self._expect("esac", "case", start)
                return Case(subject, arms, start)
            if self.text[self.at] == "(":
                self.at += 1
            patterns = self._patterns()
            body = self.statements((";;", "esac"))
            terminator = ";;"
            match = re.compile(r";;&|;;|;&").match(self.text, self.at, self.end)
            if match is not None:
                terminator = match.group()
                self.at = match.end()
            arms.append((patterns, body, terminator))

    def _patterns(self) -> list[Word]:
        patterns: list[Word] = []
        while True:
            self.skip_blanks()
            pattern = self.word()
            if pattern is None:
                raise ShellError("a `case` arm without a pattern", self.at)
            patterns.append(pattern)
            self.skip_blanks()
            char = self.text[self.at] if self.at < self.end else ""
            if char not in ("|", ")"):
                raise ShellError("a `case` pattern without `)`", self.at)
            self.at += 1
            if char == ")":
                return patterns
