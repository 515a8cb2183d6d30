"""Loops: one turn for each known item, within bounds; one turn in all where the items are unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved
from grpolint.shell.branches import Branches
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.pieces import Element, assigned, unknown
from grpolint.shell.simple import BREAK, CONTINUE, EXIT, NORMAL, RETURN
from grpolint.shell.streams import Streams
from grpolint.shell.syntax import (
    AndOr,
    ArithmeticFor,
    Assignment,
    Case,
    For,
    Group,
    If,
    Node,
    Pipeline,
    Simple,
    While,
    Word,
)

__all__ = ["Loops", "assigned_names", "expression_names"]

_ITERATIONS = 600
_ENDLESS = 64
"""Turns of a loop whose condition is always true."""


class Loops(Branches):
    """`for`, `while`, `until`."""

    def _turn(self, body: list[Node], streams: Streams) -> int:
        """One turn of a loop: NORMAL to go on, BREAK to end it, EXIT and RETURN to leave."""
        self.iterations -= 1
        if self.iterations < 0:
            self.loop_exhausted(body[0].start if body else 0)
            return BREAK
        flow = self.run(body, streams)
        if flow in (BREAK, CONTINUE) and self.levels > 1:
            self.levels -= 1
            self.outward = flow
            return BREAK
        if flow == CONTINUE:
            return NORMAL
        return flow

    def _loop_end(self, flow: int) -> int:
        if flow == BREAK:
            outward, self.outward = self.outward, NORMAL
            return outward
        return flow if flow in (EXIT, RETURN) else NORMAL

    def _for(self, node: For, streams: Streams) -> int:
        seen, self.expander.open_seen = self.expander.open_seen, False
        if node.words is None:
            elements = list(self.state.positional.items)
            open_ended = self.state.positional.open
        else:
            elements = self.expander.fields(node.words)
            open_ended = self.expander.open_seen
        self.expander.open_seen = seen
        if not elements and open_ended and self.state.positional.open and self.state.positional.least:
            # A usage check demands arguments: there is a turn, with a value nobody knows.
            elements = [Element(unknown("argument:$@"), None)]
        if not elements and open_ended:
            self.state.settable |= assigned_names(node.body)
            return NORMAL
        may_break, self.may_break = self.may_break, False
        for element in elements:
            flow = self._for_turn(node, element, streams)
            if flow != NORMAL:
                self.may_break = may_break
                return self._loop_end(flow)
        self.may_break = may_break
        self.status = True
        return NORMAL

    def _for_turn(self, node: For, element: Element, streams: Streams) -> int:
        span = element.span if element.span is not None else Span(self.source, node.start, node.start + 3)
        self.assign_text(node.name, assigned(element.text, span, node.name))
        if element.condition is None:
            return self._turn(node.body, streams)
        line = self._line(node.start)
        return self.explore([(lambda: self._turn(node.body, streams), line), (None, line)], line, streams)

    def _arithmetic_for(self, node: ArithmeticFor, streams: Streams) -> int:
        try:
            self.expander.compute(node.begin, scenario=True)
            while not node.test.pieces or self.expander.compute(node.test, scenario=True):
                flow = self._turn(node.body, streams)
                if flow != NORMAL:
                    return self._loop_end(flow)
                self.expander.compute(node.step, scenario=True)
        except (Unresolved, NeedsArm, ArithmeticFault) as error:
            reason = error.reason if isinstance(error, Unresolved) else "computed:loop"
            for name in expression_names(node.begin):
                self.assign_text(name, unknown(reason))
            return self._loop_end(self._turn(node.body, streams))
        return NORMAL

    def _while(self, node: While, streams: Streams) -> int:
        may_break, self.may_break = self.may_break, False
        try:
            return self._loop(node, streams)
        finally:
            self.may_break = may_break

    def _loop(self, node: While, streams: Streams) -> int:
        turns = 0
        while True:
            before = self.state.copy()
            verdict, depends = self._condition(node.condition, streams)
            if verdict is None:
                if turns:
                    return NORMAL
                line = self._line(node.start)
                body = lambda: self._loop_end(self._turn(node.body, streams))  # noqa: E731
                if "#" in depends:
                    self.state.settable |= assigned_names(node.body)
                    return NORMAL
                return self.explore([(body, line), (None, line)], line, streams)
            if verdict is node.until:
                if turns == 0 and ("#" in depends or _reads_arguments(node.condition)):
                    self.state.settable |= assigned_names(node.body)
                self.status = True
                return NORMAL
            if "#" in depends:
                # Arguments that a usage check demands: the loop assigns from what nobody knows.
                self.state.settable |= assigned_names(node.body)
                return NORMAL
            flow = self._turn(node.body, streams)
            if flow != NORMAL:
                return self._loop_end(flow)
            turns += 1
            if self.may_break or turns >= _ITERATIONS:
                return NORMAL
            if streams.stdin is None or not streams.stdin.pending:
                unchanged = all(before.variables.get(k) is v for k, v in self.state.variables.items())
                if unchanged or (turns >= _ENDLESS and _always(node.condition)):
                    return NORMAL


def expression_names(expression: Word) -> set[str]:
    """Names that an arithmetic expression assigns."""
    text = "".join(getattr(piece, "text", " ") for piece in expression.pieces)
    found = re.findall(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", text)
    found += re.findall(r"([A-Za-z_]\w*)\s*(?:\+\+|--)", text)
    found += re.findall(r"(?:\+\+|--)\s*([A-Za-z_]\w*)", text)
    return set(found)


def assigned_names(nodes: Sequence[Node]) -> frozenset[str]:
    """Names that statements may assign, without running them."""
    found: set[str] = set()
    stack: list[object] = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, Simple):
            found.update(each.name for each in node.assignments)
            found.update(each.name for each in node.words if isinstance(each, Assignment))
            if node.words and isinstance(node.words[0], Word) and node.words[0].literal == "read":
                found.update(each.literal for each in node.words[1:] if isinstance(each, Word) and each.literal)
        elif isinstance(node, AndOr):
            stack.append(node.first)
            stack.extend(operand for _, operand in node.rest)
        elif isinstance(node, Pipeline):
            stack.extend(node.commands)
        elif isinstance(node, If):
            for clause in node.clauses:
                stack.extend(clause.body)
        elif isinstance(node, Case):
            for _, body, _ in node.arms:
                stack.extend(body)
        elif isinstance(node, (For, ArithmeticFor, While, Group)):
            stack.extend(node.body)
    return frozenset(found)


def _reads_arguments(condition: list[Node]) -> bool:
    """Whether a loop's condition is `getopts`."""
    return any(
        isinstance(node, Simple)
        and node.words
        and isinstance(node.words[0], Word)
        and node.words[0].literal == "getopts"
        for node in condition
    )


def _always(condition: list[Node]) -> bool:
    """Whether a condition is `true` or `:`."""
    return len(condition) == 1 and isinstance(condition[0], Simple) and len(condition[0].words) == 1
