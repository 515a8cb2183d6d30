"""Simple commands: assignments, words, redirections."""

from __future__ import annotations

from grpolint.regex import regex
from grpolint.shell.parse_tests import TestParser
from grpolint.shell.scan import ShellError, Unclosed
from grpolint.shell.syntax import ArrayLiteral, Assignment, HereDocument, Literal, Redirect, Simple, Word

__all__ = ["SimpleParser"]

_ASSIGNMENT = regex(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")
_SUBSCRIPT_END = regex(r"\](\+?=)")
_REDIRECT = regex(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-?|<>|<&|<(?!\()|>>|>\||>&|>(?!\()|&>>|&>)")
_DECLARE = frozenset(["export", "declare", "local", "readonly", "typeset"])


class SimpleParser(TestParser):
    """Adds simple commands."""

    def redirect(self) -> Redirect | None:
        """The redirection that begins here, None if none does."""
        match = _REDIRECT.match(self.text, self.at, self.end)
        if match is None:
            return None
        start = self.at
        self.at = match.end()
        operator = match.group(2)
        self.skip_blanks()
        target = self.word()
        if target is None:
            # A placeholder (`--model <path>`) left in the script: the words around it are still worth reading.
            self.problem(f"nothing follows `{operator}`", start)
            target = Word([], self.at, self.at)
        if operator in ("<<", "<<-"):
            quoted = any(type(piece) is not Literal or piece.quoted for piece in target.pieces)
            delimiter = target.literal
            if delimiter is None:
                delimiter = self.text[target.start : target.end]
            document = HereDocument(delimiter, quoted, operator == "<<-")
            self.pending.append(document)
            return Redirect(match.group(1), operator, document, start, self.at)
        return Redirect(match.group(1), operator, target, start, self.at)

    def simple(self) -> Simple | None:
        """The simple command that begins here, None if there is nothing of one."""
        start = self.at
        text, end = self.text, self.end
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirects: list[Redirect] = []
        last = start
        declares = False
        while True:
            self.skip_blanks()
            if self.at >= end:
                break
            char = text[self.at]
            if char in "<>&0123456789{":
                redirect = self.redirect()
                if redirect is not None:
                    redirects.append(redirect)
                    continue
            if char in "\n;&|)":
                break
            if not words or declares:
                assignment = self._assignment()
                if assignment is not None:
                    last = self.at
                    if declares:
                        words.append(assignment)
                    else:
                        assignments.append(assignment)
                    continue
            word = self.word()
            if word is None:
                raise ShellError(f"unexpected `{char}`", self.at)
            if not words:
                declares = word.literal in _DECLARE
            words.append(word)
            last = self.at
        if not words and not assignments and not redirects:
            return None
        return Simple(assignments, words, redirects, start, last)

    def _assignment(self) -> Assignment | None:
        start = self.at
        match = _ASSIGNMENT.match(self.text, start, self.end)
        if match is None:
            return None
        subscript: Word | None = None
        append = match.group(2) == "+="
        self.at = match.end()
        if match.group(2) == "[":
            close = self.text.find("]", self.at, self.end)
            if close < 0 or "\n" in self.text[self.at : close]:
                self.at = start
                return None
            subscript = self.until("]", False, pattern=True)
            match2 = _SUBSCRIPT_END.match(self.text, self.at, self.end)
            if match2 is None:
                self.at = start
                return None
            append = match2.group(1) == "+="
            self.at = match2.end()
        at = self.at
        value: Word | ArrayLiteral
        if self.text.startswith("(", at) and at < self.end and subscript is None:
            value = self._array()
        else:
            value = self.word() or Word([], at, at)
        return Assignment(match.group(1), subscript, append, value, start, self.at)

    def _array(self) -> ArrayLiteral:
        start = self.at
        self.at += 1
        elements: list[tuple[Word | None, Word]] = []
        while True:
            self.skip_lines()
            if self.at >= self.end:
                raise Unclosed("this array is never closed", start)
            char = self.text[self.at]
            if char == ")":
                self.at += 1
                return ArrayLiteral(elements, start, self.at)
            subscript = None
            if char == "[":
                at = self.at
                self.at += 1
                subscript = self.until("]\n", False, pattern=True)
                if self.text.startswith("]=", self.at):
                    self.at += 2
                else:
                    subscript, self.at = None, at
            word = self.word()
            if word is None:
                if subscript is None:
                    raise ShellError(f"unexpected `{char}` in an array", self.at)
                word = Word([], self.at, self.at)
            elements.append((subscript, word))
