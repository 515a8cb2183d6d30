"""Simple commands: words and redirections, then a function, a builtin, a computed command, or a launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grpolint.documents.source import Span
from grpolint.launch import Word
from grpolint.shell.builtins import BUILTINS
from grpolint.shell.calls import Call
from grpolint.shell.commands import COMMANDS, QUESTIONS, SILENT, SYMBOLIC
from grpolint.shell.declare import declare
from grpolint.shell.launches import Peeled, peel
from grpolint.shell.launching import BREAK, CONTINUE, EXIT, MAX_NESTING, NORMAL, RETURN, STRICT, Draft, Launching
from grpolint.shell.pieces import (
    EMPTY,
    Element,
    Piece,
    Text,
    concatenate,
    from_word,
    known,
    place_of,
    reason_of,
    to_word,
    unknown,
)
from grpolint.shell.reading import Invocation
from grpolint.shell.slips import is_no_name, is_option, is_variable, lost_options
from grpolint.shell.state import Positional, State, Variable, merge
from grpolint.shell.streams import Input, Streams
from grpolint.shell.syntax import Assignment, HereDocument, Process, Redirect, Simple
from grpolint.shell.syntax import Word as WordNode
from grpolint.shell.words import merge_loose

__all__ = ["BREAK", "CONTINUE", "EXIT", "NORMAL", "RETURN", "Draft", "SimpleCommands"]

_DECLARES = frozenset(["export", "declare", "local", "readonly", "typeset"])


class SimpleCommands(Launching):
    """Evaluates simple commands; control flow is in `Evaluator`."""

    # Redirections.

    def redirected(self, redirects: Sequence[Redirect], streams: Streams, command: Callable[[Streams], int]) -> int:
        """Run a command with its redirections; what it writes to a file is kept."""
        stdin, out = streams.stdin, streams.out
        target: tuple[Text, bool] | None = None
        for redirect in redirects:
            operator, descriptor = redirect.operator, redirect.descriptor
            if operator[0] == "<" and operator not in ("<>", "<&"):
                if descriptor in (None, "0"):
                    stdin = Input(self._input(redirect))
                elif isinstance(redirect.target, WordNode):
                    self.expander.value(redirect.target)
                continue
            if not isinstance(redirect.target, WordNode):
                continue
            path = self.expander.value(redirect.target)
            if operator in ("<&", "<>") or descriptor not in (None, "1"):
                continue
            text = known(path)
            if operator == ">&" and text is not None and (text.isdigit() or text == "-"):
                out, target = (out, target) if text == "1" else (None, None)
            elif text is not None and text.startswith("/dev/"):
                out, target = (out, target) if text == "/dev/stdout" else (None, None)
            else:
                out = []
                target = (path, operator in (">>", "&>>"))
        flow = command(Streams(stdin, out))
        if target is not None and out is not None:
            written = concatenate(out)
            if out or target[1] is False:
                self.write_file(target[0], written, target[1])
        return flow

    def _input(self, redirect: Redirect) -> Text | None:
        target = redirect.target
        if isinstance(target, HereDocument):
            return self.expander.value_of_pieces(target.pieces)
        if redirect.operator == "<<<":
            return (*self.expander.value(target), Piece("\n"))
        if len(target.pieces) == 1 and type(target.pieces[0]) is Process:
            process = target.pieces[0]
            return self.captured(process.body, process)
        path = self.expander.value(target)
        if known(path) == "/dev/null":
            return EMPTY
        return self.file_text(path)

    # Commands.

    def simple(self, node: Simple, streams: Streams) -> int:
        """Evaluate one simple command."""
        if not node.words:
            return self._assignments_only(node, streams)
        seen, self.expander.open_seen = self.expander.open_seen, False
        first = node.words[0]
        if isinstance(first, WordNode) and first.literal in _DECLARES:
            elements = self.expander.fields([first])
            arguments: list[Element | Assignment] = []
            for each in node.words[1:]:
                if isinstance(each, Assignment):
                    arguments.append(each)
                else:
                    arguments.extend(self.expander.fields([each]))
            self.expander.open_seen = seen
            self._mark(node)
            return self._declare(first.literal or "", arguments, node)
        elements = self.expander.fields(node.words)  # type: ignore[arg-type]
        open_ended, self.expander.open_seen = self.expander.open_seen, seen
        if not elements:
            if open_ended:
                self.done(True)
                return NORMAL
            return self._assignments_only(node, streams)
        if node.redirects:
            return self.redirected(
                node.redirects, streams, lambda inner: self._command(node, elements, open_ended, inner)
            )
        return self._command(node, elements, open_ended, streams)

    def _mark(self, node: Simple, draft: Draft | None = None) -> None:
        end = max([node.end, *(redirect.end for redirect in node.redirects)]) if node.redirects else node.end
        self.previous = (self.source, end, draft)

    def _assignments_only(self, node: Simple, streams: Streams) -> int:
        self.substituted = True
        for assignment in node.assignments:
            self.assign(assignment)
        self.done(self.substituted, assumed=self.substituted is None)
        if node.redirects:
            self.redirected(node.redirects, streams, lambda _: NORMAL)
        self._mark(node)
        return NORMAL

    def _declare(self, name: str, arguments: list[Element | Assignment], node: Simple) -> int:
        for assignment in node.assignments:
            self.assign(assignment)
        if name == "export" and not node.redirects:  # a placeholder (`X=<path of data>`) reads as a redirection
            words = [to_word(each) for each in arguments if isinstance(each, Element)]
            texts = [word.text for word in words if word.text is not None]
            if "-f" not in texts and any(map(is_no_name, texts)):
                self.note_lost(words, node, "export")
        declare(self, name, arguments)  # type: ignore[arg-type]
        self.done(True)
        return NORMAL

    def _command(self, node: Simple, elements: list[Element], open_ended: bool, streams: Streams) -> int:
        name = known(elements[0].text)
        if name is not None:
            if name in self.state.functions:
                return self._with_assignments(node, lambda: self._call(name, elements, open_ended, streams))
            builtin = BUILTINS.get(name)
            if builtin is not None:
                self._mark(node)
                return self._with_assignments(
                    node,
                    lambda: builtin(Invocation(self, elements, open_ended, streams, node)),  # type: ignore[arg-type]
                )
            if name in SILENT:
                self._mark(node)
                self.done(True)
                return NORMAL
            computed = COMMANDS.get(name)
            if computed is not None:
                self._mark(node)
                return self._computed(name, computed, elements, streams)
        return self._with_assignments(node, lambda: self.external(node, elements, open_ended, streams), keep=False)

    def _with_assignments(self, node: Simple, command: Callable[[], int], keep: bool = True) -> int:
        """Run a command with the assignments before it in force."""
        if not node.assignments:
            return command()
        saved = {each.name: self.state.variables.get(each.name) for each in node.assignments}
        for assignment in node.assignments:
            self.assign(assignment)
            variable = self.state.variables[assignment.name]
            if keep and not variable.exported and variable.items is None:
                self.set_variable(assignment.name, Variable(variable.value, None, True, variable.attributes))
        flow = command()
        for name, before in saved.items():
            if before is None:
                self.state.variables.pop(name, None)
            else:
                self.state.variables[name] = before
        return flow

    def _computed(
        self, name: str, command: Callable[[Call], Text | None], elements: list[Element], streams: Streams
    ) -> int:
        if streams.out is None and name not in ("tee", "expr", "false"):
            self.done(True)
            return NORMAL
        stdin = None
        if streams.stdin is not None and name not in ("echo", "printf", "basename", "dirname", "seq"):
            stdin = streams.stdin.all()
        call = Call(self, name, [element.text for element in elements[1:]], stdin)
        self.spend(1)
        output = command(call)
        if output is None:
            texts = [*call.arguments, *((stdin,) if stdin is not None else ())]
            reason = next((r for text in texts if (r := reason_of(text))), f"command:{name}")
            symbolic = reason != f"command:{name}" and all(
                piece.symbolic for text in texts for piece in text if piece.unknown is not None
            )
            output = unknown(reason, symbolic)
        if streams.out is not None:
            streams.out.append(output)
        self.done(call.status)
        return NORMAL

    def _call(self, name: str, elements: list[Element], open_ended: bool, streams: Streams) -> int:
        """Call a function of the script."""
        if len(self.nesting) >= MAX_NESTING or self.nesting.count(f"function:{name}") >= 4:
            self.too_deep(0)
            self.done(None, assumed=True)
            return NORMAL
        function, source = self.state.functions[name]
        outer = (self.source, self.function_name, self.state.positional)
        self.source, self.function_name = source, name
        self.state.positional = Positional(elements[1:], open_ended)
        self.state.frames.append({})
        self.callers.append(outer[0])
        self.nesting.append(f"function:{name}")
        self.returned.append([])
        try:
            flow = self.run([function.body], streams)
        finally:
            self.nesting.pop()
            self.callers.pop()
            returned = self.returned.pop()
            if returned:
                flow = self._rejoin(returned, flow, function.start)
            self.source, self.function_name, self.state.positional = outer
            frame = self.state.frames.pop() if self.state.frames else {}
            for variable_name, variable in frame.items():
                if variable is None:
                    self.state.variables.pop(variable_name, None)
                else:
                    self.state.variables[variable_name] = variable
        return NORMAL if flow == RETURN else flow

    def _rejoin(self, returned: list[State], flow: int, start: int) -> int:
        """Where arms of branches returned early, what a function leaves is what all its ends have in common."""
        failed = flow == EXIT or (flow == RETURN and self.status is False)
        states = returned if failed else [*returned, self.state]
        line = Span(self.source, start, start).line
        frames = self.state.frames
        self.state = merge(states, f"branch:{line}", [f"branch:{line}"] * len(states))
        if not self.state.frames and frames:
            self.state.frames = frames
        if failed:
            self.done(True)
        return RETURN

    def external(self, node: Simple, elements: list[Element], open_ended: bool, streams: Streams) -> int:
        """A command that is neither builtin nor computed: what it launches, if anything."""
        elements = merge_loose(elements, self.state.required)
        words = [to_word(element) for element in elements]
        peeled = peel(words)
        if peeled is not None:
            return self._peeled(peeled, words, Invocation(self, elements, open_ended, streams, node))  # type: ignore[arg-type]
        if is_option(words[0]):
            self._lost(node, tuple(words))
            return NORMAL
        self._mark(node)
        name = known(elements[0].text)
        if name == "ray" and len(words) > 1:
            self.note_ray(words, node)
        elif name is not None and len(words) > 2 and words[1].text == "=" and is_variable(name):
            self.note_lost(words, node, "command")
        base = name.rsplit("/", 1)[-1] if name is not None else ""
        if base.startswith("python") and any("torch_npu" in (word.text or "") for word in words[1:3]):
            # Scripts ask for an Ascend NPU this way; the default scenario has none.
            self.done(False)
            return NORMAL
        if base == "which" and len(words) == 2 and streams.out is not None:
            streams.out.append(place_of(known(elements[1].text)))
        elif streams.out is not None:
            reason = f"command:{base}" if name is not None else reason_of(elements[0].text) or "command:"
            streams.out.append(unknown(reason, base in SYMBOLIC))
        self.done(None, assumed=base not in QUESTIONS)
        return NORMAL

    def _lost(self, node: Simple, words: tuple[Word, ...]) -> None:
        """Options that stand alone: bash would look for a command of that name."""
        before, draft = None, None
        if self.previous is not None and self.previous[0] is self.source:
            _, before, draft = self.previous
        slip = lost_options(self.source, before, node, words)
        if draft is not None and draft.slips and draft.slips[-1].kind == "trailing-blank":
            # The same blank explains both; the lost options say more.
            self.slips.remove(draft.slips.pop())
        if slip not in self.slips:
            self.slips.append(slip)
            if draft is not None:
                draft.slips.append(slip)
        self._mark(node, draft)
        self.done(False)

    def _peeled(self, peeled: Peeled, words: list[Word], call: Invocation) -> int:
        """What a command starts: a program, or a script that is read in its turn."""
        argument_words = words[peeled.argument_index :]
        node, streams = call.node, call.streams
        self._mark(node)
        if peeled.program:
            draft = self.launch(peeled, tuple(argument_words), node, call.open_ended)
            self._mark(node, draft)
        if peeled.nested is not None:
            at = next((index for index, word in enumerate(words) if word is peeled.nested), None)
            text = call.elements[at].text if at is not None else from_word(peeled.nested)
            named = at is not None and peeled.argument_index == at + 2
            zero = call.elements[peeled.argument_index - 1].text if named else None
            self.nested_text(peeled, text, argument_words, node, zero)
        elif peeled.script is not None:
            command = self._job_command(peeled.script, node)
            found = self.find_script(from_word(peeled.script)) if command is None else None
            if command is not None:
                self.nested_text(peeled, command, argument_words, node)
            elif found is not None:
                self.nested_script(peeled, found, argument_words, node, open_ended=call.open_ended)
        elif peeled.stdin and streams.stdin is not None:
            script = streams.stdin.all()
            if script:
                self.nested_text(peeled, script, argument_words, node)
        if streams.out is not None:
            streams.out.append(unknown(f"command:{peeled.program or (words[0].text or '')}".strip()))
        self.done(None, assumed=True)
        if words[0].text == "exec" and self.mode == STRICT:
            self.exit_status = None
            return EXIT
        return NORMAL

    def _job_command(self, script: Word, node: Simple) -> Text | None:
        """What a job script runs that takes its command from the environment: NeMo-RL's `ray.sub` runs `$COMMAND`."""
        if (script.text or "").rsplit("/", 1)[-1] != "ray.sub":
            return None
        variable = self.state.variables.get("COMMAND")
        if variable is None or variable.value is None:
            return None
        inline = any(assignment.name == "COMMAND" for assignment in node.assignments)
        return variable.value if inline or variable.exported else None
