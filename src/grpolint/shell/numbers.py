"""Arithmetic over values: a number where all is known, else the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved, evaluate
from grpolint.shell.pieces import Piece, Text, literal, unknown
from grpolint.shell.syntax import Literal, Word, WordPiece
from grpolint.values import Origin

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["NeedsArm", "Numbers"]


class NeedsArm(Exception):
    """A computation met a value that has several alternatives: it must be repeated for each."""

    def __init__(self, piece: Piece) -> None:
        super().__init__(piece.unknown)
        self.piece = piece


class Numbers:
    """Arithmetic expansion. `arms` says which arm of a branch is being tried, by group of alternatives."""

    def __init__(self, shell: Evaluator) -> None:
        self.shell = shell
        self.arms: dict[int, int] = {}

    def lookup(self, name: str, subscript: Word | str | None = None) -> Text | None:
        """The value of a parameter; defined with the parameters."""
        raise NotImplementedError

    def piece(self, piece: WordPiece) -> Text:
        """The value of one piece; defined by the expander."""
        raise NotImplementedError

    def number(self, word: Word) -> int | None:
        """The value of an arithmetic word, None if it is unknown or faulty."""
        if word.literal is not None and word.literal.isascii() and word.literal.isdigit() and len(word.literal) < 10:
            return int(word.literal)
        return self.shell.number(word)

    def arithmetic(self, expression: Word, whole: WordPiece) -> Text:
        """`$((...))`: a number, or an unknown with the reason of what it lacks."""
        span = Span(self.shell.source, whole.start, whole.end)
        try:
            return literal(str(self.compute(expression)))
        except NeedsArm as needed:
            return self._by_arms(expression, needed.piece, span)
        except Unresolved as error:
            reason = error.reason if error.reason.startswith("arithmetic:") else f"arithmetic:{error.reason}"
            return unknown(reason, error.symbolic, span)
        except ArithmeticFault:
            return unknown(f"arithmetic:{span.text[:60]}", span=span)

    def _by_arms(self, expression: Word, piece: Piece, span: Span) -> Text:
        results: list[str] = []
        for arm in range(len(piece.alternatives)):
            self.arms[piece.group] = arm
            try:
                results.append(str(self.compute(expression)))
            except (NeedsArm, Unresolved, ArithmeticFault):
                return (Piece("", piece.unknown, (Origin("expression", span),)),)
            finally:
                del self.arms[piece.group]
        if len(set(results)) == 1:
            return literal(results[0])
        return (Piece("", piece.unknown, (Origin("expression", span),), None, tuple(results), False, piece.group),)

    def compute(self, expression: Word, scenario: bool = False) -> int:
        """The number an expression gives; in the `scenario` what nobody sets counts as empty.

        Raises Unresolved, NeedsArm or ArithmeticFault.
        """

        def plain(text: Text) -> str:
            return self.shell.plain(text, scenario)

        def get(name: str, subscript: str | None) -> str | None:
            word = Word([Literal(subscript, 0, 0, True)], 0, 0) if subscript is not None else None
            if word is not None and not subscript.isdigit():  # type: ignore[union-attr]
                variable = self.shell.state.variables.get(name)
                if variable is None or "A" not in variable.attributes:
                    word = Word([Literal(str(evaluate(subscript or "0", get, put)), 0, 0, True)], 0, 0)
            text = self.lookup(name, word)
            if text is None:
                if name in self.shell.state.variables:
                    return None
                if scenario:
                    self.shell.note_unset(name)
                    return None
                raise Unresolved(f"env:{name}")
            return plain(text)

        def put(name: str, subscript: str | None, value: int) -> None:
            self.shell.assign_number(name, subscript, value)

        self.shell.spend(1)
        texts = [plain(self.piece(piece)) for piece in expression.pieces]
        return evaluate("".join(texts), get, put)
