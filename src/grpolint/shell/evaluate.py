"""Statements: control flow over known values, and both arms where nobody can know."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grpolint.documents.source import Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved
from grpolint.shell.conditions import decide, matches
from grpolint.shell.parameters import NeedsArm, derived
from grpolint.shell.pieces import (
    Element,
    Piece,
    Text,
    assigned,
    concatenate,
    strip_trailing_newlines,
    unknown,
)
from grpolint.shell.simple import BREAK, CONTINUE, EXIT, NORMAL, RETURN, SimpleCommands
from grpolint.shell.state import State, merge, merge_texts
from grpolint.shell.streams import Input, Streams
from grpolint.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Case,
    Clause,
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

__all__ = ["Evaluator"]

_ITERATIONS = 600
_ENDLESS = 64
"""Turns of a loop whose condition is always true."""

Arm = Callable[[], int]


class Evaluator(SimpleCommands):
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
            method = _METHODS[kind]
            if redirects:
                return self.redirected(redirects, streams, lambda inner: method(self, node, inner))
            return method(self, node, streams)
        finally:
            self.depth -= 1

    # Substitutions.

    def substitution(self, piece: Substitution) -> Text:
        """What `$(...)` gives."""
        text = strip_trailing_newlines(self.captured(piece.body, piece))
        if any(each.unknown is not None and not each.origins for each in text):
            span = Span(self.source, piece.start, piece.end)
            text = tuple(
                each if each.unknown is None or each.origins else unknown(each.unknown, each.symbolic, span)[0]
                for each in text
            )
        return text

    def captured(self, body: list[Node], piece: Substitution | Process) -> Text:
        """The output of statements that run in a subshell."""
        self.depth += 1
        if self.depth > self.MAX_DEPTH:
            self.depth -= 1
            return unknown("computed:nested too deeply")
        outer, source, out = self.state, self.source, []
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

    # Branches.

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
        names, unset = self.names_read, self.unset
        self.names_read, self.unset = set(), set()
        try:
            evaluate()
            verdict = self.status
            depends = self.unset | (self.names_read & self.state.settable)
        finally:
            read, missing = self.names_read, self.unset
            self.names_read, self.unset = names, unset
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
        if not depends and not self.lenient:
            return arm()
        base, launched = self.state, len(self.drafts)
        self.state = base.copy()
        flow = arm()
        refused = flow == EXIT or (flow == RETURN and self.status is False)
        if not refused or len(self.drafts) > launched:
            return flow
        if not depends and not self.drafts_expected():
            return flow
        self.state = base
        self.assume_given(depends, again)
        return None

    def _if(self, node: If, streams: Streams) -> int:
        depends: set[str] = set()
        for index, clause in enumerate(node.clauses):
            if clause.condition is None:
                verdict: bool | None = True
            else:
                verdict, names = self._condition(clause.condition, streams)
                depends |= names
            if verdict is False:
                continue
            if verdict is None:
                return self._explore_clauses(node, index, streams)
            flow = self.guarded(
                lambda clause=clause: self._body(clause.body, streams),  # type: ignore[misc]
                depends,
                lambda clause=clause: self._still(clause, streams),  # type: ignore[misc]
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
            if verdict is False or clause is skip:
                continue
            arms.append((lambda clause=clause: self._body(clause.body, streams), self._line(clause.start)))  # type: ignore[misc]
            if verdict is True:
                complete = True
                break
        if not complete:
            arms.append((None, self._line(node.start)))
        return self.explore(arms, self._line(node.start), streams)

    def _and_or(self, node: AndOr, streams: Streams) -> int:
        names, unset = self.names_read, self.unset
        self.names_read, self.unset = set(), set()
        try:
            return self._chain(node, streams)
        finally:
            read, missing = self.names_read, self.unset
            self.names_read, self.unset = names, unset
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
            if status is None:
                return self._either(node, index, last, streams)
            index += 1
            if status is (operator == "||"):
                continue
            assert self.unset is not None
            assert self.names_read is not None
            depends = self.unset | (self.names_read & self.state.settable)

            def again(last: Node = last, operator: str = operator) -> bool:
                self.execute(last, streams)
                return self.status is (operator == "&&")

            guarded = self.guarded(lambda operand=operand: self.execute(operand, streams), depends, again)  # type: ignore[misc]
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

        def arm(status: bool) -> int:
            self.done(status)
            return self._rest(node, index, last, streams)

        flow = self.explore([(lambda: arm(True), line), (lambda: arm(False), line)], line, streams)
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
            complete = True
        else:
            complete = verdicts[-1] is True
        arms: list[tuple[Arm | None, int]] = [
            (
                lambda index=index: self._case_body(node, index, subject[0], streams),
                self._line(node.arms[index][0][0].start),
            )  # type: ignore[misc]
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
                verdict = matches(self, subject, pattern)
            except NeedsArm as needed:
                verdict = self._matches_by_arm(subject, pattern, needed.piece)
            if verdict is True:
                return True if not unsure else None
            unsure = unsure or verdict is None
        return None if unsure else False

    def _matches_by_arm(self, subject: Text, pattern: object, piece: Piece) -> bool | None:
        verdicts: set[bool | None] = set()
        for arm in range(len(piece.alternatives)):
            self.expander.arms[piece.group] = arm
            try:
                verdicts.add(matches(self, subject, pattern))  # type: ignore[arg-type]
            except NeedsArm:
                verdicts.add(None)
            finally:
                del self.expander.arms[piece.group]
        return verdicts.pop() if len(verdicts) == 1 else None

    # Loops.

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
            before = self.state.copy()
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
            self.status = self.expander.compute(node.expression, scenario=True) != 0
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


def expression_names(expression: Word) -> set[str]:
    """Names that an arithmetic expression assigns."""
    import re

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


_METHODS: dict[type, Callable[[Evaluator, object, Streams], int]] = {
    Pipeline: Evaluator._pipeline,  # type: ignore[dict-item]
    AndOr: Evaluator._and_or,  # type: ignore[dict-item]
    If: Evaluator._if,  # type: ignore[dict-item]
    For: Evaluator._for,  # type: ignore[dict-item]
    ArithmeticFor: Evaluator._arithmetic_for,  # type: ignore[dict-item]
    While: Evaluator._while,  # type: ignore[dict-item]
    Case: Evaluator._case,  # type: ignore[dict-item]
    Group: Evaluator._group,  # type: ignore[dict-item]
    Function: Evaluator._function,  # type: ignore[dict-item]
    Conditional: Evaluator._conditional,  # type: ignore[dict-item]
    ArithmeticCommand: Evaluator._arithmetic_command,  # type: ignore[dict-item]
}
