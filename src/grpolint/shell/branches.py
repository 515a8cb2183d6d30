"""Branches: the arm that bash takes, or all that it may take where nobody can know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from grpolint.documents.source import Span
from grpolint.shell.conditions import matches
from grpolint.shell.launching import CURIOUS, STRICT
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.patterns import Pattern
from grpolint.shell.pieces import Piece, Text, concatenate
from grpolint.shell.simple import BREAK, EXIT, NORMAL, RETURN, SimpleCommands
from grpolint.shell.state import State, merge, merge_texts
from grpolint.shell.streams import Streams
from grpolint.shell.syntax import AndOr, Case, Clause, If, Node, Word

__all__ = ["Branches"]

Arm = Callable[[], int]
_MAX_UNDECIDED = 6
"""Undecided links of one `&&` and `||` chain of which both outcomes are followed."""
_MAX_WANTED = 12
"""Variables that one check demands."""
_MAX_WEIGHED = 3
"""Branches inside each other of which arms are followed only to see whether they start something."""


class Branches(SimpleCommands):
    """`if`, `case`, `&&` and `||`."""

    def execute(self, node: Node, streams: Streams) -> int:
        """Evaluate one statement; defined by the evaluator."""
        raise NotImplementedError

    def explore(self, arms: Sequence[tuple[Arm | None, int]], line: int, streams: Streams) -> int:
        """Run several arms of which nobody knows which one bash takes, and go on with what they agree on.

        Each arm comes with the line it begins in; None stands for doing nothing. An arm that leaves the script or
        the function is taken not to happen.
        """
        base, outer = self.state, self.condition
        self.spend(1 + len(arms) * (1 + len(base.variables) // 20))
        states: list[State] = []
        conditions: list[str | None] = []
        flows: list[int] = []
        outputs: list[Text] = []
        out = streams.out
        start = len(out) if out is not None else 0
        for arm, arm_line in arms:
            self.state = base.copy()
            condition = f"branch:{arm_line}"
            if arm is None:
                flow = NORMAL
            else:
                self.condition = condition
                flow = arm()
            self.condition = outer
            written: Text = ()
            if out is not None:
                written = concatenate(out[start:])
                del out[start:]
            if flow in (EXIT, RETURN):
                flows.append(flow)
                if flow == RETURN and self.status is not False and self.returned:
                    self.returned[-1].append(self.state)
                continue
            outputs.append(written)
            if flow == BREAK:
                self.may_break = True
            states.append(self.state)
            conditions.append(condition if arm is not None else None)
            flows.append(flow)
        if not states:
            self.state = base
            return flows[0] if flows else NORMAL
        self.state = merge(states, f"branch:{line}", conditions)
        if out is not None and any(outputs):
            out.append(merge_texts(outputs, f"branch:{line}"))
        self.done(None)
        lasting = {flow for flow in flows if flow not in (EXIT, RETURN)}
        return lasting.pop() if len(lasting) == 1 else NORMAL

    def _line(self, offset: int) -> int:
        return Span(self.source, offset, offset).line

    def judged(self, evaluate: Callable[[], None]) -> tuple[bool | None, set[str]]:
        """Run a condition: what it comes to, and the names whose absence (or default) it depends on."""
        names, unset, compared = self.names_read, self.unset, self.compared
        self.names_read, self.unset, self.compared = set(), set(), set()
        try:
            evaluate()
            verdict = self.status
            depends = self.unset | (self.names_read & self.state.settable)
            if depends and verdict is not None:
                self.by_absence = True
                if self.mode == CURIOUS:
                    verdict = None
        finally:
            read, missing = self.names_read, self.unset
            self.names_read, self.unset = names, unset
            self.swayed = bool(self.compared)
            self.compared |= compared
            if names is not None:
                names |= read
            if unset is not None:
                unset |= missing
        return verdict, depends

    def _condition(self, nodes: list[Node], streams: Streams) -> tuple[bool | None, set[str]]:
        def evaluate() -> None:
            self.status = True
            self.run(nodes, streams)
            if self.assumed:
                # A program's success is assumed for what follows it, not for a decision.
                self.status, self.assumed = None, False

        return self.judged(evaluate)

    def guarded(self, arm: Arm, depends: set[str], again: Callable[[], bool]) -> int | None:
        """Run a chosen arm. None if it would leave the script for want of something that only the caller can give:
        then it is undone, and what it wanted counts as given.
        """
        if not depends and self.mode == STRICT:
            return arm()
        base, launched = self.state, len(self.drafts)
        self.state = base.copy()
        self.leaning += bool(depends)
        flow = arm()
        self.leaning -= bool(depends)
        refused = flow == EXIT or (flow == RETURN and self.status is False)
        if not refused or len(self.drafts) > launched:
            return flow
        if not depends and not self.drafts_expected():
            return flow
        self.state = base
        self.assume_given(depends, again)
        wanted = set(depends)
        for _ in range(_MAX_WANTED):
            # A check of several (`[[ -z $A || -z $B ]]`) comes to the next one only now.
            demands: list[bool] = []
            _, names = self.judged(lambda: demands.append(again()))  # noqa: B023 - called at once
            names -= wanted
            if not names or not demands[0]:
                break
            self.assume_given(names, again)
            wanted |= names
        return None

    def weighed(self, explore: Callable[[], int], streams: Streams) -> int | None:
        """Follow every arm of a branch that compares something which nobody sets with a value (`$RANK` with 0).

        None if no arm starts a program: then all is as before, and the arm that an empty value chooses is as good as
        any other.
        """
        if self.weighing >= _MAX_WEIGHED:
            return None
        base, launched, previous, may_break = self.state, len(self.drafts), self.previous, self.may_break
        out, written = streams.out, len(streams.out or ())
        returned = len(self.returned[-1]) if self.returned else 0
        self.state = base.copy()
        self.weighing += 1
        try:
            flow = explore()
        finally:
            self.weighing -= 1
        if len(self.drafts) > launched:
            return flow
        self.state, self.previous, self.may_break = base, previous, may_break
        if out is not None:
            del out[written:]
        if self.returned:
            del self.returned[-1][returned:]
        return None

    def _if(self, node: If, streams: Streams) -> int:
        depends: set[str] = set()
        weighed = False
        for index, clause in enumerate(node.clauses):
            if clause.condition is None:
                verdict: bool | None = True
            else:
                verdict, names = self._condition(clause.condition, streams)
                depends |= names
                if self.swayed and verdict is not None and not weighed:
                    weighed = True
                    explored = self.weighed(partial(self._explore_clauses, node, index, streams), streams)
                    if explored is not None:
                        return explored
            if verdict is False:
                continue
            if verdict is None:
                return self._explore_clauses(node, index, streams)
            flow = self.guarded(
                partial(self._body, clause.body, streams),
                depends,
                partial(self._still, clause, streams),
            )
            if flow is not None:
                return flow
            others = [other for other in node.clauses if other is not clause]
            if index == 0 and len(others) == 1 and others[0].condition is None:
                return self._body(others[0].body, streams)
            return self._explore_clauses(node, 0, streams, skip=clause)
        self.status = True
        return NORMAL

    def _body(self, nodes: list[Node], streams: Streams) -> int:
        self.status = True
        return self.run(nodes, streams)

    def _still(self, clause: Clause, streams: Streams) -> bool:
        return clause.condition is not None and self._condition(clause.condition, streams)[0] is True

    def _explore_clauses(self, node: If, start: int, streams: Streams, skip: Clause | None = None) -> int:
        """All clauses from `start` on that may be taken."""
        arms: list[tuple[Arm | None, int]] = []
        complete = False
        for index, clause in enumerate(node.clauses[start:]):
            verdict: bool | None = None
            if clause.condition is None:
                verdict = True
            elif index and skip is None:
                verdict = self._condition(clause.condition, streams)[0]
                verdict = None if self.swayed and self.weighing else verdict
            if verdict is False or clause is skip:
                continue
            arms.append((partial(self._body, clause.body, streams), self._line(clause.start)))
            if verdict is True:
                complete = True
                break
        if not complete:
            arms.append((None, self._line(node.start)))
        return self.explore(arms, self._line(node.start), streams)

    def _and_or(self, node: AndOr, streams: Streams) -> int:
        names, unset, compared = self.names_read, self.unset, self.compared
        self.names_read, self.unset, self.compared = set(), set(), set()
        try:
            return self._chain(node, streams)
        finally:
            read, missing = self.names_read, self.unset
            self.names_read, self.unset = names, unset
            self.compared |= compared
            if names is not None:
                names |= read
            if unset is not None:
                unset |= missing

    def _chain(self, node: AndOr, streams: Streams) -> int:
        flow = self.execute(node.first, streams)
        return flow if flow != NORMAL else self._rest(node, 0, node.first, streams)

    def _rest(self, node: AndOr, index: int, last: Node, streams: Streams) -> int:
        """The operands from `index` on, after `last` set the status."""
        while index < len(node.rest):
            operator, operand = node.rest[index]
            status = self.status
            if status is None and self.assumed and operator == "&&":
                status = True
            assert self.unset is not None
            assert self.names_read is not None
            depends = self.unset | (self.names_read & self.state.settable)
            if depends and status is not None:
                self.by_absence = True
                if self.mode == CURIOUS and index == 0:
                    status = None
            if status is None:
                return self._either(node, index, last, streams)
            if self.compared:
                compared, self.compared = self.compared, set()
                explored = self.weighed(partial(self._either, node, index, last, streams), streams)
                self.compared |= compared
                if explored is not None:
                    return explored
                self.done(status)
            index += 1
            if status is (operator == "||"):
                continue

            def again(last: Node = last, operator: str = operator) -> bool:
                self.execute(last, streams)
                return self.status is (operator == "&&")

            guarded = self.guarded(partial(self.execute, operand, streams), depends, again)
            if guarded is None:
                self.done(True)
            elif guarded != NORMAL:
                return guarded
            last = operand
        return NORMAL

    def _either(self, node: AndOr, index: int, last: Node, streams: Streams) -> int:
        """Go on both as if the last command had succeeded and as if it had failed."""
        line = self._line(node.start)
        assumed = self.assumed
        if self.undecided >= _MAX_UNDECIDED:
            # So many open questions in one chain: go on as if each program succeeded.
            self.done(None, assumed=True)
            return self._rest(node, index + (node.rest[index][0] == "||"), last, streams)

        def arm(status: bool) -> int:
            self.done(status)
            return self._rest(node, index, last, streams)

        self.undecided += 1
        flow = self.explore([(lambda: arm(True), line), (lambda: arm(False), line)], line, streams)
        self.undecided -= 1
        self.done(None, assumed)
        return flow

    def _case(self, node: Case, streams: Streams) -> int:
        subject: list[Text] = []
        verdicts: list[bool | None] = []

        def evaluate() -> None:
            subject.append(self.expander.value(node.word))
            for patterns, _, _ in node.arms:
                verdicts.append(self._matches_any(subject[0], patterns))
                if verdicts[-1] is True:
                    break

        _, depends = self.judged(evaluate)
        if self.swayed:
            every = partial(self._explore_cases, node, range(len(node.arms)), subject[0], streams)
            explored = self.weighed(every, streams)
            if explored is not None:
                return explored
        if depends and self.mode == CURIOUS:
            verdicts = [None] * len(node.arms)
        possible = [index for index, verdict in enumerate(verdicts) if verdict is not False]
        self.status = True
        if not possible:
            return NORMAL
        if verdicts[possible[0]] is True:
            chosen = possible[0]
            flow = self.guarded(lambda: self._case_body(node, chosen, subject[0], streams), depends, lambda: False)
            if flow is not None:
                return flow
            possible = [index for index in range(len(node.arms)) if index != chosen]
            if not possible:
                return NORMAL
            return self._explore_cases(node, possible, subject[0], streams, complete=True)
        return self._explore_cases(node, possible, subject[0], streams, complete=verdicts[-1] is True)

    def _explore_cases(
        self, node: Case, possible: Sequence[int], subject: Text, streams: Streams, complete: bool | None = None
    ) -> int:
        """The arms that may be taken; not `complete`: perhaps none of them."""
        if complete is None:
            last = self.expander.pattern(node.arms[-1][0][-1])
            complete = last is not None and last.anything
        arms: list[tuple[Arm | None, int]] = [
            (partial(self._case_body, node, index, subject, streams), self._line(node.arms[index][0][0].start))
            for index in possible
        ]
        if not complete:
            arms.append((None, self._line(node.start)))
        return self.explore(arms, self._line(node.start), streams)

    def _case_body(self, node: Case, index: int, subject: Text, streams: Streams) -> int:
        while True:
            _, body, terminator = node.arms[index]
            flow = self.run(body, streams)
            index += 1
            if flow != NORMAL or terminator == ";;" or index >= len(node.arms):
                return flow
            if terminator == ";;&":
                while index < len(node.arms) and self._matches_any(subject, node.arms[index][0]) is not True:
                    index += 1
                if index >= len(node.arms):
                    return flow

    def _matches_any(self, subject: Text, patterns: list[Word]) -> bool | None:
        unsure = False
        for word in patterns:
            pattern = self.expander.pattern(word)
            if pattern is None:
                unsure = True
                continue
            try:
                compare = partial(matches, self, subject, pattern)
                verdict = compare() if pattern.anything else self.comparing(compare, absent=True)
            except NeedsArm as needed:
                verdict = self._matches_by_arm(subject, pattern, needed.piece)
            if verdict is True:
                return True if not unsure else None
            unsure = unsure or verdict is None
        return None if unsure else False

    def _matches_by_arm(self, subject: Text, pattern: Pattern, piece: Piece) -> bool | None:
        verdicts: set[bool | None] = set()
        for arm in range(len(piece.alternatives)):
            self.expander.arms[piece.group] = arm
            try:
                verdicts.add(matches(self, subject, pattern))
            except NeedsArm:
                verdicts.add(None)
            finally:
                del self.expander.arms[piece.group]
        return verdicts.pop() if len(verdicts) == 1 else None
