"""What every part of the evaluation needs: the current state, the scenario nobody chose otherwise, paths, the budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grpolint.digits import whole
from grpolint.documents.source import Problem, Source, Span
from grpolint.shell.arithmetic import ArithmeticFault, Unresolved
from grpolint.shell.numbers import NeedsArm
from grpolint.shell.paths import normalise
from grpolint.shell.pieces import (
    EMPTY,
    OPEN,
    ComposedSource,
    Element,
    Piece,
    Text,
    assigned,
    concatenate,
    known,
    literal,
    pattern,
)
from grpolint.shell.state import Positional, State, Variable, WrittenFile
from grpolint.shell.syntax import ArrayLiteral, Assignment, Parameter, Word
from grpolint.shell.words import Expander
from grpolint.values import Origin

__all__ = ["Context", "Exhausted", "Lookup"]

STEPS = 60_000
"""Statements and expansions evaluated for one script before reading stops."""
_MAX_PROBLEMS = 40
_MAX_ITEMS = 5000

Lookup = Callable[[str, Source], "Source | None"]


class Exhausted(Exception):
    """The budget is spent."""


class Context:
    """State of one reading. `expander` expands words, `state` is what the script did so far."""

    def __init__(self, source: Source, env: Mapping[str, str], lookup: Lookup | None) -> None:
        self.source = source
        self.main = source
        self.script = source
        """The file that `$0` names: the script itself, or one that it starts."""
        self.zero: Text | None = None
        """`$0` where it is not the path of the file (`bash -c TEXT NAME`)."""
        self.callers: list[Source] = []
        """Where the function calls and `source` commands being evaluated stand, outermost first."""
        self.lookup_file = lookup
        self.state = State()
        for name, value in env.items():
            self.state.variables[name] = Variable((Piece(value, None, (Origin("--env", None, name),)),), exported=True)
        self.expander = Expander(self)  # type: ignore[arg-type]
        self.steps = STEPS
        self.status: bool | None = True
        self.function_name = ""
        self.names_read: set[str] | None = None
        """Names looked up while a condition is evaluated."""
        self.unset: set[str] | None = None
        """Names whose absence decided something while a condition is evaluated."""
        self.compared: set[str] = set()
        """Those among them whose value is compared with another one: nobody means their absence."""
        self.fallbacks: dict[str, str] = {}
        """What an empty default stands for, by the variable it was assigned to."""
        self.problems: list[Problem] = []

    def spend(self, amount: int) -> None:
        """Count work; raises Exhausted when the budget is spent."""
        self.steps -= amount
        if self.steps < 0:
            raise Exhausted

    def problem(self, message: str, span: Span | None) -> None:
        """Note something that could not be read."""
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(message, span, self.source.path))

    # The default scenario: no arguments, no environment but what the user supplied.

    def note_unset(self, name: str) -> None:
        """Remember that the absence of `name` matters for the condition being evaluated."""
        if self.unset is not None:
            self.unset.add(name)

    def comparing(self, compare: Callable[[], bool | None], absent: bool | None = None) -> bool | None:
        """What a comparison comes to. Names that count as empty in it are noted, unless it says `absent`: then it asks
        whether they are set at all (`[ "x$X" = x ]`).
        """
        outer = self.unset
        if outer is None:
            return compare()
        self.unset = set()
        try:
            verdict = compare()
            if verdict is not None and verdict is not absent:
                self.compared |= self.unset - {"#"}
        finally:
            outer |= self.unset
            self.unset = outer
        return verdict

    def in_scenario(self, text: Text, note: bool = True) -> Text:
        """A text with the unknowns that the default scenario leaves empty taken as empty."""
        for piece in text:
            if piece.unknown is not None or piece is OPEN:
                break
        else:
            return text
        found: list[Piece] = []
        for piece in text:
            if piece is OPEN:
                if note:
                    self.note_unset("#")
                continue
            reason = piece.unknown
            if reason is None:
                found.append(piece)
            elif reason.startswith("env:") and not piece.symbolic:
                if reason[4:] in self.state.required:
                    found.append(piece)
                elif note:
                    self.note_unset(reason[4:])
            elif reason.startswith("argument:$"):
                self._argument(piece, found, note)
            else:
                found.append(piece)
        return tuple(found)

    def _argument(self, piece: Piece, found: list[Piece], note: bool) -> None:
        position = self.state.positional
        name = (piece.unknown or "")[10:]
        if note:
            self.note_unset(name if name == "#" else f"${name}")
        if name == "#":
            found.append(Piece(str(position.least)))
        elif (place := whole(name)) is not None and place <= position.least + position.base:
            found.append(piece)

    def plain(self, text: Text, scenario: bool) -> str:
        """The characters of a text. Raises NeedsArm where a value has alternatives, Unresolved where it is unknown."""
        if scenario:
            text = self.in_scenario(text)
        parts: list[str] = []
        for piece in text:
            if piece.unknown is None:
                parts.append(piece.text)
            elif piece.group and piece.alternatives:
                arm = self.expander.arms.get(piece.group)
                if arm is None:
                    raise NeedsArm(piece)
                parts.append(piece.alternatives[arm] if arm < len(piece.alternatives) else "")
            else:
                raise Unresolved(piece.unknown, piece.symbolic)
        return "".join(parts)

    def assume_given(self, names: set[str], demands: Callable[[], bool]) -> None:
        """A check stopped the script because of these absences: assume that they were given.

        `demands` evaluates the check again; with it the number of arguments that satisfies it is found.
        """
        position = self.state.positional
        if position.open and ("#" in names or any(name.startswith("$") for name in names)):
            wanted = [place - position.base for name in names if (place := whole(name[1:])) is not None]
            least = max([position.least, *wanted])
            if "#" in names:
                for count in range(least, least + 13):
                    self.state.positional = Positional(position.items, True, position.base, count)
                    if not demands():
                        break
                else:
                    self.state.positional = Positional(position.items, True, position.base, max(least, 1))
            else:
                self.state.positional = Positional(position.items, True, position.base, least)
        for name in names:
            if name == "#" or name.startswith("$"):
                continue
            variable = self.state.variables.get(name)
            if variable is None:
                self.state.required |= {name}
            elif variable.items is None and name in self.state.settable and not known(variable.value or EMPTY):
                reason = Piece("", self._demanded(name))
                self.set_variable(name, Variable((reason,), None, variable.exported, variable.attributes))
            elif variable.value is not None:
                for piece in variable.value:
                    if piece.unknown is not None and piece.unknown.startswith("env:"):
                        self.state.required |= {piece.unknown[4:]}

    def _demanded(self, name: str) -> str:
        """Why the value of a variable that a check demands is unknown; what it stands for is required from now on."""
        reason = self.fallbacks.get(name, f"argument:{name}")
        if reason.startswith("env:"):
            self.state.required |= {reason[4:]}
        elif reason.startswith("argument:$"):
            old = self.state.positional
            least = max(old.least, int(reason[10:]) - old.base)
            self.state.positional = Positional(old.items, old.open, old.base, least)
        return reason

    # Variables.

    def set_variable(self, name: str, variable: Variable) -> None:
        """Give a variable its new content."""
        if len(self.state.variables) > 20_000 and name not in self.state.variables:
            raise Exhausted
        self.state.variables[name] = variable

    def assign_text(self, name: str, text: Text, append: bool = False) -> None:
        """Assign a scalar, keeping what the variable's attributes demand."""
        old = self.state.variables.get(name)
        exported, attributes = self.state.export_all, ""
        if old is not None:
            exported, attributes = old.exported or exported, old.attributes
            if "n" in attributes and old.value is not None:
                target = known(old.value)
                if target and target != name and target.replace("_", "a").isalnum():
                    self.assign_text(target, text, append)
                    return
            if append:
                text = self._appended(old, text)
            if "i" in attributes:
                text = self._number_text(text)
            elif "l" in attributes or "u" in attributes:
                whole = known(text)
                text = literal(whole.lower() if "l" in attributes else whole.upper()) if whole is not None else text
            if old.items is not None:
                items = dict(old.items)
                items["0" if "A" in attributes else 0] = Element(text, None)
                self.set_variable(name, Variable(None, items, exported, attributes, old.open))
                return
        self.set_variable(name, Variable(text, None, exported, attributes))

    def _appended(self, old: Variable, text: Text) -> Text:
        if "i" in old.attributes:
            before = known(old.value or EMPTY)
            after = known(text)
            if before is not None and after is not None:
                return literal(f"({before or 0})+({after or 0})")
        if old.items is not None:
            first = old.items.get(0)
            return concatenate([first.text if first is not None else EMPTY, text])
        return concatenate([old.value or EMPTY, text])

    def _number_text(self, text: Text) -> Text:
        whole = known(text)
        if whole is None:
            return text
        from grpolint.shell.syntax import Literal

        number = self.number(Word([Literal(whole, 0, 0, True)], 0, 0))
        return literal(str(number)) if number is not None else literal("0")

    def assign_number(self, name: str, subscript: str | None, value: int) -> None:
        """Assignments inside arithmetic."""
        text = literal(str(value))
        if subscript is None:
            old = self.state.variables.get(name)
            exported = old.exported if old is not None else self.state.export_all
            self.set_variable(name, Variable(text, None, exported, old.attributes if old is not None else ""))
            return
        old = self.state.variables.get(name)
        items = dict(old.items) if old is not None and old.items is not None else {}
        place = whole(subscript)
        key: int | str = place if place is not None else subscript
        items[key] = Element(text, None)
        self.set_variable(name, Variable(None, items, False, old.attributes if old is not None else ""))

    def assign(self, node: Assignment) -> None:
        """Perform an assignment as written."""
        span = Span(self.source, node.value.start, node.value.end)
        if isinstance(node.value, ArrayLiteral):
            self._assign_array(node, node.value)
            return
        text = assigned(self.expander.value(node.value), span, node.name)
        if node.subscript is None:
            if not node.append and known(text) == "":
                self._note_fallback(node)
            self.assign_text(node.name, text, node.append)
            return
        old = self.state.variables.get(node.name)
        key = self.expander.subscript(node.subscript, old)
        items: dict[int | str, Element] = {}
        if old is not None:
            items = dict(old.items) if old.items is not None else {0: Element(old.value or EMPTY, None)}
        if key is None:
            return
        if node.append and key in items:
            text = concatenate([items[key].text, text])
        items[key] = Element(text, span)
        exported, attributes = (old.exported, old.attributes) if old is not None else (False, "")
        if isinstance(key, int) and len(items) > 1 and "A" not in attributes:
            items = dict(sorted(items.items(), key=lambda item: item[0] if isinstance(item[0], int) else 0))
        self.set_variable(
            node.name, Variable(None, items, exported, attributes, old.open if old is not None else False)
        )

    def _note_fallback(self, node: Assignment) -> None:
        """Remember that an empty value stands for what the caller may give: `MODEL=${MODEL:-}`."""
        pieces = node.value.pieces if isinstance(node.value, Word) else []
        found = pieces[0] if len(pieces) == 1 else None
        if not isinstance(found, Parameter) or found.operator not in (":-", "-") or found.indirect:
            return
        name, position = found.name, self.state.positional
        place = whole(name)
        if place is not None:
            number = place - len(position.items)
            reason = f"argument:${number + position.base}" if position.open and number > 0 else ""
        else:
            old = self.state.variables.get(name)
            reason = f"env:{name}" if old is None or (old.value is None and old.items is None) else ""
        if reason:
            self.state.settable |= {node.name}
            self.fallbacks[node.name] = reason

    def _assign_array(self, node: Assignment, value: ArrayLiteral) -> None:
        old = self.state.variables.get(node.name)
        attributes = old.attributes if old is not None else ""
        exported = old.exported if old is not None else False
        items: dict[int | str, Element] = {}
        open_ended = False
        if node.append and old is not None:
            items = dict(old.items) if old.items is not None else {0: Element(old.value or EMPTY, None)}
            open_ended = old.open
        following = max((key for key in items if isinstance(key, int)), default=-1) + 1
        seen, self.expander.open_seen = self.expander.open_seen, False
        pairs: list[Element] = []
        for subscript, word in value.elements:
            if len(items) > _MAX_ITEMS:
                break
            if subscript is not None:
                key = self.expander.subscript(subscript, old)
                span = Span(self.source, word.start, word.end)
                if key is not None:
                    items[key] = Element(self.expander.value(word), span)
                    following = key + 1 if isinstance(key, int) else following
                continue
            found: list[Element] = []
            self.expander.field(word, found)
            if "A" in attributes:
                pairs.extend(found)
                continue
            for element in found:
                items[following] = element
                following += 1
        for name, content in zip(pairs[::2], pairs[1::2]):
            text = known(name.text)
            if text is not None:
                items[text] = content
        open_ended = open_ended or self.expander.open_seen
        self.expander.open_seen = seen
        self.set_variable(node.name, Variable(None, items, exported, attributes, open_ended))

    def number(self, word: Word) -> int | None:
        """The value of an arithmetic word; None where it is not known."""
        try:
            return self.expander.compute(word)
        except (NeedsArm, Unresolved, ArithmeticFault):
            return None

    def separators(self) -> str:
        """The characters at which unquoted values are split."""
        variable = self.state.variables.get("IFS")
        if variable is None or variable.value is None:
            return " \t\n"
        whole = known(variable.value)
        return whole if whole is not None else " \t\n"

    # Paths.

    def script_path(self, source: Source | None = None) -> Text:
        """`$0`, or the path of another file: its folder is a symbol, its name is known."""
        source = self._on_disk(source if source is not None else self.script)
        name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
        folder = Piece("", "script-dir", (Origin("script", Span(source, 0, 0)),), None, (), True)
        return (folder, Piece("/" + name))

    def sources(self) -> list[Text]:
        """`BASH_SOURCE`: the file of the statement being evaluated, then those of its callers."""
        found = [self.source, *reversed(self.callers)]
        return [self.script_path(each) for each in found]

    def working_directory(self) -> Text:
        """Where the script stands."""
        if self.state.cwd is not None:
            return self.state.cwd
        given = self.state.variables.get("PWD")
        if given is not None and given.value:
            return given.value
        return (Piece("", "env:PWD", symbolic=True),)

    def absolute(self, path: Text) -> Text:
        """A path from the root, as far as the working directory is known."""
        first = path[0] if path else None
        if first is None:
            return self.working_directory()
        if first.unknown is not None or first.text.startswith("/"):
            return path
        if first.text == "." and len(path) == 1:
            return self.working_directory()
        return concatenate([self.working_directory(), (Piece("/"),), path])

    def change_directory(self, target: Text) -> None:
        """`cd`."""
        self.state.cwd = normalise(self.absolute(target))

    def file_key(self, path: Text) -> str:
        """One name for a written file, however its path is spelled."""
        text = pattern(path)
        return text.removeprefix("./") if text else text

    def write_file(self, path: Text, text: Text, append: bool) -> None:
        """Remember what the script writes to a file."""
        key = self.file_key(path)
        if not key or key.startswith("/dev/") or len(self.state.files) > 500:
            return
        old = self.state.files.get(key)
        if append and old is not None:
            text = concatenate([old.text, text])
        self.state.files[key] = WrittenFile(Element(path, path[0].at if path else None), text)

    def is_written(self, path: Text) -> bool:
        """Whether the script itself wrote that file."""
        return self.file_key(path) in self.state.files

    def file_text(self, path: Text) -> Text | None:
        """The content of a file: written by the script, or found in the tree; None if it is neither."""
        written = self.state.files.get(self.file_key(path))
        if written is not None:
            return written.text
        found = self.find_file(path)
        if found is None:
            return None
        return (Piece(found.text, None, (), Span(found, 0, len(found.text))),)

    def find_script(self, path: Text) -> Source | None:
        """A script to read: written by the script itself, or a file in the tree."""
        written = self.state.files.get(self.file_key(path))
        if written is not None:
            return ComposedSource(self.source.path, written.text, written.path.span)
        return self.find_file(path)

    def find_file(self, path: Text) -> Source | None:
        """A file of the tree by a path that may begin with the script's folder or something unknown."""
        if self.lookup_file is None or not path:
            return None
        whole = known(path)
        cwd = self.state.cwd
        if whole is not None and not whole.startswith("/") and cwd is not None:
            found = self.find_file(normalise(concatenate([cwd, (Piece("/"),), path])))
            if found is not None:
                return found
        near = self._on_disk(self.source)
        if whole is None:
            last = max(index for index, piece in enumerate(path) if piece.unknown is not None)
            tail = known(path[last + 1 :]) or ""
            reason = path[last].unknown or ""
            if reason.startswith("script-dir") and last == 0:
                origin = path[0].origins[-1].span if path[0].origins else None
                near = self._on_disk(origin.source) if origin is not None else near
                whole = (reason[len("script-dir") :] + tail).lstrip("/")
            elif reason == "env:PWD" and last == 0:
                whole = tail.lstrip("/")
            else:
                slash = tail.find("/")
                whole = tail[slash:] if slash >= 0 else ""
        if not whole or whole.endswith("/"):
            return None
        self.spend(5)
        return self.lookup_file(whole, near)

    def _on_disk(self, source: Source) -> Source:
        while source.parent is not None:
            source = source.parent.source
        return source
