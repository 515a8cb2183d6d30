"""Statements: control flow over known values, and both arms where nobody can know."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved
from grpolint.shell.conditions import decide
from grpolint.shell.loops import Loops, expression_names
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.parameters import derived
from grpolint.shell.pieces import (
    Text,
    concatenate,
    strip_trailing_newlines,
    unknown,
)
from grpolint.shell.simple import EXIT, NORMAL
from grpolint.shell.streams import Input, Streams
from grpolint.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Conditional,
    For,
    Function,
    Group,
    If,
    Node,
    Pipeline,
    Process,
    Redirect,
    Simple,
    Substitution,
    While,
    Word,
)
from grpolint.values import Origin

__all__ = ["Evaluator"]


class Evaluator(Loops):
    """Walks the statements of a script. Every `_name` method of a statement returns how the flow goes on."""

    def run(self, nodes: Sequence[Node], streams: Streams) -> int:
        """Evaluate statements one after the other."""
        for node in nodes:
            flow = self.execute(node, streams)
            if flow != NORMAL:
                return flow
        return NORMAL

    def execute(self, node: Node, streams: Streams) -> int:
        """Evaluate one statement."""
        self.steps -= 1
        if self.steps < 0:
            self.spend(0)
        kind = type(node)
        if kind is Simple:
            return self.simple(node, streams)  # type: ignore[arg-type]
        self.depth += 1
        if self.depth > self.MAX_DEPTH:
            self.depth -= 1
            self.too_deep(node.start)
            return NORMAL
        try:
            redirects: list[Redirect] | None = getattr(node, "redirects", None)
            method: Callable[[Node, Streams], int] = getattr(self, _METHODS[kind])
            if redirects:
                return self.redirected(redirects, streams, lambda inner: method(node, inner))
            return method(node, streams)
        finally:
            self.depth -= 1

    # Substitutions.

    def substitution(self, piece: Substitution) -> Text:
        """What `$(...)` gives."""
        text = strip_trailing_newlines(self.captured(piece.body, piece))
        if any(each.unknown is not None and not each.origins for each in text):
            span = Span(self.source, piece.start, piece.end)
            origins = (Origin("expression", span),)
            text = tuple(each if each.unknown is None or each.origins else each.with_origins(origins) for each in text)
        return text

    def captured(self, body: list[Node], piece: Substitution | Process) -> Text:
        """The output of statements that run in a subshell."""
        self.depth += 1
        if self.depth > self.MAX_DEPTH:
            self.depth -= 1
            return unknown("computed:nested too deeply")
        outer, source = self.state, self.source
        out: list[Text] = []
        status = self.status
        self.state = outer.copy()
        self.status = True
        if isinstance(piece, Substitution) and piece.source is not None:
            self.source = piece.source
        try:
            self.run(body, Streams(None, out))
        finally:
            self.state, self.source = outer, source
            self.depth -= 1
        self.substituted = self.status
        self.status = status
        return concatenate(out)

    def process(self, piece: Process) -> Text:
        """`<(...)`: a file nobody can name. Its content serves redirections."""
        if piece.direction == "<":
            content = self.captured(piece.body, piece)
            path = unknown("command:<(...)", symbolic=True, span=Span(self.source, piece.start, piece.end))
            self.substitution_files[piece.start] = content
            return path
        outer = self.state
        self.state = outer.copy()
        self.run(piece.body, Streams(Input(None), None))
        self.state = outer
        return unknown("command:>(...)", symbolic=True)

    # Compounds.

    def _pipeline(self, node: Pipeline, streams: Streams) -> int:
        if len(node.commands) == 1:
            flow = self.execute(node.commands[0], streams)
            if node.negated and self.status is not None:
                self.status = not self.status
            elif node.negated and self.assumed:
                self.assumed, self.status = False, None
            return flow
        stdin = streams.stdin
        outer = self.state
        unsure = False
        for index, command in enumerate(node.commands):
            last = index == len(node.commands) - 1
            out: list[Text] | None = streams.out if last else []
            self.state = outer.copy()
            self.status = True
            self.execute(command, Streams(stdin, out))
            files = self.state.files
            self.state = outer
            self.state.files = files
            if not last:
                assert out is not None
                stdin = Input(concatenate(out))
                unsure = unsure or self.status is None
        if unsure and self.status is None:
            self.assumed = self.assumed or False
        if node.negated and self.status is not None:
            self.status = not self.status
        return NORMAL

    def _group(self, node: Group, streams: Streams) -> int:
        if not node.subshell:
            return self.run(node.body, streams)
        outer = self.state
        self.state = outer.copy()
        flow = self.run(node.body, streams)
        files = self.state.files
        self.state = outer
        self.state.files = files
        if flow == EXIT:
            self.status = self.exit_status
        return NORMAL

    def _function(self, node: Function, streams: Streams) -> int:
        self.state.functions[node.name] = (node, self.source)
        self.status = True
        return NORMAL

    def _conditional(self, node: Conditional, streams: Streams) -> int:
        self.status = decide(self, node.condition)
        self.assumed = False
        return NORMAL

    def _arithmetic_command(self, node: ArithmeticCommand, streams: Streams) -> int:
        self.assumed = False
        try:
            self.status = self.comparing(lambda: self.expander.compute(node.expression, scenario=True) != 0)
        except ArithmeticFault:
            self.status = False
        except NeedsArm as needed:
            self.status = None
            self._forget(node.expression, (needed.piece,))
        except Unresolved as error:
            self.status = None
            self._forget(node.expression, unknown(f"arithmetic:{error.reason}"))
        return NORMAL

    def _forget(self, expression: Word, text: Text) -> None:
        """What an expression with unknown parts assigns is unknown."""
        for name in expression_names(expression):
            self.assign_text(name, derived(text))


_METHODS: dict[type, str] = {
    Pipeline: "_pipeline",
    AndOr: "_and_or",
    If: "_if",
    For: "_for",
    ArithmeticFor: "_arithmetic_for",
    While: "_while",
    Case: "_case",
    Group: "_group",
    Function: "_function",
    Conditional: "_conditional",
    ArithmeticCommand: "_arithmetic_command",
}
