"""Launches under construction, and the scripts that a script starts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grpolint.documents.source import Problem, Source, Span
from grpolint.launch import Earlier, FileText, Launch, Slip, Word
from grpolint.regex import regex
from grpolint.shell.context import Context, Lookup
from grpolint.shell.launches import Peeled
from grpolint.shell.parse import parse
from grpolint.shell.pieces import EMPTY, ComposedSource, Element, Text, from_word, known, literal, reason_of, to_word
from grpolint.shell.slips import trailing_blank
from grpolint.shell.state import Positional, State, Variable
from grpolint.shell.streams import Streams
from grpolint.shell.syntax import Node, Process, Simple, Substitution

__all__ = ["BREAK", "CONTINUE", "CURIOUS", "EXIT", "LENIENT", "NORMAL", "RETURN", "STRICT", "Draft", "Launching"]

NORMAL, EXIT, RETURN, BREAK, CONTINUE = range(5)
"""How the flow goes on after a statement."""

STRICT, LENIENT, CURIOUS = range(3)
"""How a script is read: as bash would run it; past every exit behind a condition; along every arm that arguments or
the environment could choose.
"""

_MAX_LAUNCHES = 1000
MAX_NESTING = 12
"""Scripts inside scripts, functions inside functions."""
_DIRECTIVE = regex(
    r"^#SBATCH[ \t]+(-{1,2}[A-Za-z][\w-]*)(?:(?:[ \t]*=[ \t]*|[ \t]+|(?<=-[A-Za-z]))([^\s#][^#\n]*))?", re.MULTILINE
)
_ELSEWHERE = frozenset(
    {f"{tool} {verb}" for tool in ("docker", "podman", "kubectl") for verb in ("run", "exec")} | {"ssh", "pdsh"}
)
"""Wrappers whose program does not inherit from the shell that starts it."""
_ENVIRONMENT = (
    "NCCL_", "TORCH_", "PYTORCH_", "CUDA_", "VLLM_", "SGLANG_", "RAY_", "HCCL_", "ASCEND_", "GLOO_", "NVTE_", "HF_HUB_",
    "HIP_", "ROCR_", "WANDB_API_", "WANDB_MODE", "TOKENIZERS_", "OMP_NUM", "HYDRA_FULL", "HF_HOME", "HF_TOKEN",
    "HF_ENDPOINT", "TRANSFORMERS_", "TASK_QUEUE_",
)  # fmt: skip
"""How variables begin that programs read from their environment."""
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

    __slots__ = ("argv", "env", "left", "names")

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.argv: tuple[tuple[Word, ...], ...] = ()
        self.env: dict[str, Word] = {}
        self.left: dict[str, Variable] = {}
        """Exported variables that do not reach the script."""


class Launching(Context):
    """Keeps the launches found so far and what surrounds the script being read."""

    MAX_DEPTH = 40

    def __init__(self, source: Source, env: Mapping[str, str], lookup: Lookup | None, mode: int = STRICT) -> None:
        super().__init__(source, env, lookup)
        self.mode = mode
        self.by_absence = False
        """Whether something was decided by what the caller did not give."""
        self.swayed = False
        """Whether the last condition compared something that nobody sets with a value."""
        self.weighing = 0
        self.leaning = 0
        """How many arms around the current statement were chosen by what the caller did not give."""
        self.depth = 0
        self.levels = 1
        self.outward = NORMAL
        self.iterations = 600
        self.assumed = False
        """Whether the last status stands for a program that is taken to succeed."""
        self.exit_status: bool | None = True
        self.substituted: bool | None = True
        self.may_break = False
        self.undecided = 0
        self.condition: str | None = None
        self.drafts: list[Draft] = []
        self.slips: list[Slip] = []
        self.lost: list[Slip] = []
        """Assignments that bash did not take for any and that no launch has been told of."""
        self.earlier: list[Earlier] = []
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

    def done(self, status: bool | None, assumed: bool = False) -> None:
        """Set the status of the command that just ended."""
        self.status = status
        self.assumed = assumed

    def drafts_expected(self) -> bool:
        """Whether an exit may be passed over because nothing was launched before it."""
        return self.mode >= LENIENT and not self.drafts

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

    def nested_text(
        self, peeled: Peeled, text: Text, arguments: Sequence[Word], node: Simple, zero: Text | None = None
    ) -> None:
        """Read a script that stands in a value: `bash -c TEXT`, a here-document for `bash`."""
        source = ComposedSource(self.source.path, text, Span(self.source, node.start, node.end))
        self.nested_script(peeled, source, arguments, node, zero=zero if zero is not None else literal("bash"))

    def nested_script(
        self,
        peeled: Peeled,
        source: Source,
        arguments: Sequence[Word],
        node: Simple,
        *,
        open_ended: bool = False,
        zero: Text | None = None,
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
        limits = self._limits(peeled)
        child.limits = {name: Element(from_word(word), word.span) for name, word in limits.items()}
        child.positional = Positional([Element(from_word(word), word.span) for word in arguments], open_ended)
        self.state = child
        self.wrapping = _Wrapping()
        self.wrapping.names = (*wrapping.names, *peeled.wrappers)
        self.wrapping.argv = (*wrapping.argv, *peeled.wrapper_argv)
        self.wrapping.env = {**wrapping.env, **peeled.env}
        self.wrapping.left = {**wrapping.left, **self._left(peeled, outer.child().variables)}
        script, callers, outer_zero = self.script, self.callers, self.zero
        self.callers = []
        self.zero = zero
        if zero is None:
            self.script = source
        self.leaning += 1  # whether it runs in the background nobody tells
        self.include(source)
        self.leaning -= 1
        self.script, self.callers, self.zero = script, callers, outer_zero
        self.state, self.wrapping, self.previous = outer, wrapping, previous
        self.names_read, self.unset = names, unset

    def include(self, source: Source, streams: Streams | None = None) -> int:
        """Evaluate another script in the current state. Cycles and deep chains end silently."""
        key = f"{source.path}\0{len(source.text)}\0{hash(source.text)}"
        if key in self.nesting or len(self.nesting) >= MAX_NESTING:
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

    def launch(self, peeled: Peeled, argv: tuple[Word, ...], node: Simple, open_ended: bool) -> Draft:
        """Record a program start with everything that holds for it now."""
        if len(self.drafts) >= _MAX_LAUNCHES:
            self.spend(self.steps + 1)
        self.spend(len(argv) // 4)
        first = node.words[0]
        span = Span(self.source, first.start, node.end)
        env = self._environment()
        left = {**self.wrapping.left, **self._left(peeled, self.state.variables)}
        left = {name: each for name, each in left.items() if name in env and self.state.variables.get(name) is each}
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
                "limits": self._limits(peeled),
                "unexported": self._unexported(env),
                "left_behind": {name: _variable_word(each) for name, each in left.items()},
                "earlier": tuple(self.earlier),
            }
        )
        draft.slips, self.lost = self.lost, []
        self.drafts.append(draft)
        slip = trailing_blank(self.source, node)
        if slip is not None:
            draft.slips.append(slip)
            self.slips.append(slip)
        return draft

    def _limits(self, peeled: Peeled) -> dict[str, Word]:
        """The limits that what a command starts begins with: another machine or a container has its own."""
        inherited = {} if any(each in _ELSEWHERE for each in peeled.wrappers) else self.state.limits
        return {**{name: to_word(element) for name, element in inherited.items()}, **peeled.limits}

    def _environment(self) -> dict[str, Word]:
        return {
            name: _variable_word(variable)
            for name, variable in self.state.variables.items()
            if variable.exported and variable.value is not None and not _given(variable)
        }

    def _unexported(self, env: Mapping[str, Word]) -> dict[str, Word]:
        """What the script assigns under the name of an environment variable and leaves to itself."""
        return {
            name: _variable_word(variable)
            for name, variable in self.state.variables.items()
            if not variable.exported
            and variable.value is not None
            and name.startswith(_ENVIRONMENT)
            and name not in env
            and not _given(variable)
        }

    def _left(self, peeled: Peeled, variables: Mapping[str, Variable]) -> dict[str, Variable]:
        """Exported variables that what a command starts does not inherit, because it starts elsewhere."""
        if not any(each in _ELSEWHERE or each == "ray job submit" for each in peeled.wrappers):
            return {}
        return {
            name: each
            for name, each in variables.items()
            if each.exported and each.value is not None and name not in peeled.env and not _given(each)
        }

    def note_ray(self, words: Sequence[Word], node: Simple) -> None:
        """Remember a command of Ray on this machine for the launches after it."""
        if len(self.earlier) >= _MAX_LAUNCHES or self.wrapping.names:
            return
        env = self._environment()
        for assignment in node.assignments:
            variable = self.state.variables.get(assignment.name)
            if variable is not None and variable.value is not None:
                env[assignment.name] = _variable_word(variable)
        span = Span(self.source, node.words[0].start, node.end)
        condition = self.condition or (f"branch:{span.line}" if self.leaning else None)
        self.earlier.append(Earlier(tuple(words), span, env, condition))

    def note_lost(self, words: Sequence[Word], node: Simple, why: str) -> None:
        """Remember an assignment with blanks around its equals sign for the launch after it."""
        slip = Slip("lost-assignment", Span(self.source, node.start, node.end), tuple(words), why)
        if slip not in self.slips:
            self.slips.append(slip)
            self.lost.append(slip)

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
    return value is not None and len(value) == 1 and bool(value[0].origins) and value[0].origins[0].what == "--env"
