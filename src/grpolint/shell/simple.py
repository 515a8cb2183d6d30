"""Simple commands: words and redirections, then a function, a builtin, a computed command, or a launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from grpolint.documents.source import Problem, Source, Span
from grpolint.launch import FileText, Launch, Slip, Word
from grpolint.shell.builtins import BUILTINS
from grpolint.shell.commands import COMMANDS, QUESTIONS, SILENT, SYMBOLIC, Call
from grpolint.shell.context import Context, Lookup
from grpolint.shell.launches import Peeled, peel
from grpolint.shell.parse import parse
from grpolint.shell.pieces import (
    EMPTY,
    ComposedSource,
    Element,
    Piece,
    Text,
    concatenate,
    from_word,
    known,
    reason_of,
    to_word,
    unknown,
)
from grpolint.shell.slips import is_option, lost_options, trailing_blank
from grpolint.shell.state import Positional, State, Variable, merge
from grpolint.shell.streams import Input, Streams
from grpolint.shell.syntax import Assignment, HereDocument, Node, Process, Redirect, Simple, Substitution
from grpolint.shell.syntax import Word as WordNode
from grpolint.shell.words import merge_loose

__all__ = ["BREAK", "CONTINUE", "EXIT", "NORMAL", "RETURN", "Draft", "SimpleCommands"]

NORMAL, EXIT, RETURN, BREAK, CONTINUE = range(5)
"""How the flow goes on after a statement."""

_MAX_LAUNCHES = 1000
_MAX_NESTING = 12
"""Scripts inside scripts, functions inside functions."""
_DECLARES = frozenset(["export", "declare", "local", "readonly", "typeset"])
_DIRECTIVE = re.compile(
    r"^#SBATCH[ \t]+(-{1,2}[A-Za-z][\w-]*)(?:(?:[ \t]*=[ \t]*|[ \t]+|(?<=-[A-Za-z]))([^\s#][^#\n]*))?", re.MULTILINE
)
_SHORT = {
    "N": "nodes", "n": "ntasks", "c": "cpus-per-task", "t": "time", "p": "partition", "J": "job-name", "o": "output",
    "e": "error", "A": "account", "G": "gpus", "w": "nodelist", "x": "exclude", "q": "qos", "C": "constraint",
    "a": "array", "d": "dependency", "D": "chdir",
}  # fmt: skip


class Draft:
    """A launch under construction: slips are found after it."""

    __slots__ = ("fields", "slips")

    def __init__(self, fields: dict[str, object]) -> None:
        self.fields = fields
        self.slips: list[Slip] = []

    def finish(self) -> Launch:
        """The launch with all that was found."""
        return Launch(**self.fields, slips=tuple(self.slips))  # type: ignore[arg-type]


class _Wrapping:
    """What surrounds the script being read: the wrappers that started it, their environment."""

    __slots__ = ("argv", "env", "names")

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.argv: tuple[tuple[Word, ...], ...] = ()
        self.env: dict[str, Word] = {}


class SimpleCommands(Context):
    """Evaluates simple commands; control flow is in `Evaluator`."""

    MAX_DEPTH = 40

    def __init__(self, source: Source, env: Mapping[str, str], lookup: Lookup | None, lenient: bool = False) -> None:
        super().__init__(source, env, lookup)
        self.lenient = lenient
        """Whether every exit behind a condition is taken not to happen."""
        self.depth = 0
        self.levels = 1
        self.outward = NORMAL
        self.iterations = 600
        self.assumed = False
        """Whether the last status stands for a program that is taken to succeed."""
        self.exit_status: bool | None = True
        self.substituted: bool | None = True
        self.may_break = False
        self.condition: str | None = None
        self.drafts: list[Draft] = []
        self.slips: list[Slip] = []
        self.previous: tuple[Source, int, Draft | None] | None = None
        self.wrapping = _Wrapping()
        self.substitution_files: dict[int, Text] = {}
        self.nesting: list[str] = []
        self.parsed: dict[int, tuple[Source, list[Node]]] = {}
        self._file_texts: dict[int, tuple[object, FileText]] = {}
        self._directives: dict[int, tuple[tuple[str, str, Span], ...]] = {}
        self._reported: set[str] = set()
        self.returned: list[list[State]] = []
        """For each function being evaluated, the states in which one arm of a branch returned from it."""

    def run(self, nodes: Sequence[Node], streams: Streams) -> int:
        """Evaluate statements; defined by the evaluator."""
        raise NotImplementedError

    def captured(self, body: list[Node], piece: Substitution | Process) -> Text:
        """The output of statements; defined by the evaluator."""
        raise NotImplementedError

    def drafts_expected(self) -> bool:
        """Whether an exit may be passed over because nothing was launched before it."""
        return self.lenient and not self.drafts

    def too_deep(self, offset: int) -> None:
        """Note, once, that something is nested too deeply to be followed."""
        self._report("nested", "commands nested too deeply are not followed", offset)

    def loop_exhausted(self, offset: int) -> None:
        """Note, once, that loops were cut short."""
        self._report("loops", "loops are followed for 600 turns in all; what later turns launch is not read", offset)

    def _report(self, key: str, message: str, offset: int) -> None:
        if key not in self._reported:
            self._reported.add(key)
            self.problem(message, Span(self.source, offset, offset))

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

    def done(self, status: bool | None, assumed: bool = False) -> None:
        """Set the status of the command that just ended."""
        self.status = status
        self.assumed = assumed

    def _mark(self, node: Simple, draft: Draft | None = None) -> None:
        self.previous = (self.source, node.end, draft)

    def _assignments_only(self, node: Simple, streams: Streams) -> int:
        self.substituted = True
        for assignment in node.assignments:
            self.assign(assignment)
        self.done(self.substituted, assumed=self.substituted is None)
        if node.redirects:
            self.redirected(node.redirects, streams, lambda inner: NORMAL)
        self._mark(node)
        return NORMAL

    def _declare(self, name: str, arguments: list[Element | Assignment], node: Simple) -> int:
        from grpolint.shell.builtins import declare

        for assignment in node.assignments:
            self.assign(assignment)
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
                    lambda: builtin(self, elements, open_ended, streams, node),  # type: ignore[arg-type]
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
        for name, variable in saved.items():
            if variable is None:
                self.state.variables.pop(name, None)
            else:
                self.state.variables[name] = variable
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
        call = Call(self, name, [element.text for element in elements[1:]], stdin)  # type: ignore[arg-type]
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
        if len(self.nesting) >= _MAX_NESTING or self.nesting.count(f"function:{name}") >= 4:
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
        words = [to_word(element) for element in merge_loose(elements)]
        peeled = peel(words)
        if peeled is not None:
            return self._peeled(peeled, words, node, open_ended, streams)
        if is_option(words[0]):
            self._lost(node, tuple(words))
            return NORMAL
        self._mark(node)
        name = known(elements[0].text)
        base = name.rsplit("/", 1)[-1] if name is not None else ""
        if streams.out is not None:
            reason = f"command:{base}" if name is not None else reason_of(elements[0].text) or "command:"
            streams.out.append(unknown(reason, base in SYMBOLIC))
        if base.startswith("python") and any("torch_npu" in (word.text or "") for word in words[1:3]):
            # Scripts ask for an Ascend NPU this way; the default scenario has none.
            self.done(False)
            return NORMAL
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

    def _peeled(self, peeled: Peeled, words: list[Word], node: Simple, open_ended: bool, streams: Streams) -> int:
        argument_words = words[peeled.argument_index :]
        self._mark(node)
        if peeled.program:
            draft = self._launch(peeled, tuple(argument_words), node, open_ended)
            self._mark(node, draft)
        if peeled.nested is not None:
            self._nested_text(peeled, from_word(peeled.nested), argument_words, node)
        elif peeled.script is not None:
            found = self.find_script(from_word(peeled.script))
            if found is not None:
                self._nested_script(peeled, found, argument_words, open_ended, node)
        elif peeled.stdin and streams.stdin is not None:
            text = streams.stdin.all()
            if text:
                self._nested_text(peeled, text, argument_words, node)
        if streams.out is not None:
            streams.out.append(unknown(f"command:{peeled.program or (words[0].text or '')}".strip()))
        self.done(None, assumed=True)
        if words[0].text == "exec" and not self.lenient:
            self.exit_status = None
            return EXIT
        return NORMAL

    def _nested_text(self, peeled: Peeled, text: Text, arguments: Sequence[Word], node: Simple) -> None:
        source = ComposedSource(self.source.path, text, Span(self.source, node.start, node.end))
        self._nested_script(peeled, source, arguments[1:] if peeled.nested is not None else arguments, False, node)

    def _nested_script(
        self, peeled: Peeled, source: Source, arguments: Sequence[Word], open_ended: bool, node: Simple
    ) -> None:
        """Read a script that a command starts: it inherits what is exported."""
        outer, wrapping, previous = self.state, self.wrapping, self.previous
        names, unset = self.names_read, self.unset
        self.names_read = self.unset = None
        child = outer.child()
        for assignment in node.assignments:
            variable = outer.variables.get(assignment.name)
            if variable is not None and variable.items is None:
                child.variables[assignment.name] = Variable(variable.value, None, True, variable.attributes)
        for name, word in peeled.env.items():
            child.variables[name] = Variable(from_word(word), None, True)
        if peeled.cwd is not None:
            child.cwd = from_word(peeled.cwd)
        child.positional = Positional([Element(from_word(word), word.span) for word in arguments], open_ended)
        self.state = child
        self.wrapping = _Wrapping()
        self.wrapping.names = (*wrapping.names, *peeled.wrappers)
        self.wrapping.argv = (*wrapping.argv, *peeled.wrapper_argv)
        self.wrapping.env = {**wrapping.env, **peeled.env}
        script, callers = self.script, self.callers
        self.callers = []
        if not isinstance(source, ComposedSource):
            self.script = source
        self.include(source)
        self.script, self.callers = script, callers
        self.state, self.wrapping, self.previous = outer, wrapping, previous
        self.names_read, self.unset = names, unset

    def include(self, source: Source, streams: Streams | None = None) -> int:
        """Evaluate another script in the current state. Cycles and deep chains end silently."""
        key = f"{source.path}\0{len(source.text)}\0{hash(source.text)}"
        if key in self.nesting or len(self.nesting) >= _MAX_NESTING:
            self.done(True)
            return NORMAL
        self.spend(20)
        nodes = self.parse(source)
        outer = self.source
        self.source = source
        self.nesting.append(key)
        self.callers.append(outer)
        self.depth += 1
        try:
            if self.depth > self.MAX_DEPTH:
                self.too_deep(0)
                return NORMAL
            return self.run(nodes, streams if streams is not None else Streams(None, None))
        finally:
            self.depth -= 1
            self.nesting.pop()
            self.callers.pop()
            self.source = outer

    def parse(self, source: Source) -> list[Node]:
        """The statements of a script, parsed once."""
        found = self.parsed.get(id(source))
        if found is None or found[0] is not source:
            nodes, problems = parse(source)
            self.spend(len(source.text) // 50)
            for each in problems:
                if len(self.problems) < 40:
                    self.problems.append(Problem(each.message, each.span, source.path))
            found = self.parsed[id(source)] = (source, nodes)
        return found[1]

    # Launches.

    def _launch(self, peeled: Peeled, argv: tuple[Word, ...], node: Simple, open_ended: bool) -> Draft:
        if len(self.drafts) >= _MAX_LAUNCHES:
            self.spend(self.steps + 1)
        self.spend(len(argv) // 4)
        first = node.words[0]
        span = Span(self.source, first.start, node.end)
        env = self._environment()
        env.update(self.wrapping.env)
        for assignment in node.assignments:
            variable = self.state.variables.get(assignment.name)
            if variable is not None and variable.value is not None:
                env[assignment.name] = _variable_word(variable)
        env.update(peeled.env)
        cwd = peeled.cwd
        if cwd is None and self.state.cwd is not None:
            cwd = to_word(Element(self.state.cwd, None))
        draft = Draft(
            {
                "program": peeled.program,
                "argv": argv,
                "span": span,
                "wrappers": (*self.wrapping.names, *peeled.wrappers),
                "wrapper_argv": (*self.wrapping.argv, *peeled.wrapper_argv),
                "env": env,
                "cwd": cwd,
                "condition": self.condition,
                "files": tuple(self._written(key) for key in self.state.files),
                "directives": self._slurm(),
                "open_ended": open_ended,
            }
        )
        self.drafts.append(draft)
        slip = trailing_blank(self.source, node)
        if slip is not None:
            draft.slips.append(slip)
            self.slips.append(slip)
        return draft

    def _environment(self) -> dict[str, Word]:
        return {
            name: _variable_word(variable)
            for name, variable in self.state.variables.items()
            if variable.exported and variable.value is not None and not _given(variable)
        }

    def _written(self, key: str) -> FileText:
        written = self.state.files[key]
        cached = self._file_texts.get(id(written))
        if cached is not None and cached[0] is written:
            return cached[1]
        path = to_word(written.path)
        text = known(written.text)
        if text is None:
            found = FileText(path, None, reason_of(written.text))
        else:
            found = FileText(path, self._file_source(path, written.text, text))
        self._file_texts[id(written)] = (written, found)
        return found

    def _file_source(self, path: Word, text: Text, content: str) -> Source:
        pieces = [piece for piece in text if piece.text]
        if len(pieces) == 1 and pieces[0].at is not None:
            at = pieces[0].at
            return Source(path.pattern, content, at, at.start)
        place = next((piece.at for piece in pieces if piece.at is not None), None)
        return Source(path.pattern, content, place if place is not None else Span(self.source, 0, 0))

    def _slurm(self) -> tuple[tuple[str, str, Span], ...]:
        """The `#SBATCH` lines of the script that holds the launch, else of the file the user named."""
        for source in dict.fromkeys((self.source, self.main)):
            if "#SBATCH" not in source.text:
                continue
            if id(source) not in self._directives:
                found = []
                for match in _DIRECTIVE.finditer(source.text):
                    name = match.group(1).lstrip("-")
                    value = (match.group(2) or "").strip().strip("\"'")
                    span = Span(source, match.start(), match.start() + len(match.group().rstrip()))
                    found.append((_SHORT.get(name, name), value, span))
                self._directives[id(source)] = tuple(found)
            return self._directives[id(source)]
        return ()


def _variable_word(variable: Variable) -> Word:
    """The value of a variable as a word whose span is where the value is written."""
    if variable.word is None:
        word = to_word(Element(variable.value or EMPTY, None))
        span = next((each.span for each in word.origins if each.span is not None), None)
        variable.word = Word(word.parts, span)
    return variable.word


def _given(variable: Variable) -> bool:
    """Whether the user supplied the value: then the script does not set it."""
    value = variable.value
    return bool(value) and len(value) == 1 and bool(value[0].origins) and value[0].origins[0].what == "--env"
