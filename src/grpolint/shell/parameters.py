"""Parameter expansion: the value of a name, and every operator of `${...}`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grpolint.digits import whole
from grpolint.documents.source import Span
from grpolint.shell import patterns
from grpolint.shell.numbers import Numbers
from grpolint.shell.pieces import (
    EMPTY,
    OPEN,
    Element,
    Piece,
    Text,
    assigned,
    concatenate,
    cut,
    known,
    literal,
    reason_of,
    unknown,
)
from grpolint.shell.state import Variable
from grpolint.shell.syntax import Literal, Parameter, Word
from grpolint.values import Origin

if TYPE_CHECKING:
    from grpolint.shell.evaluate import Evaluator

__all__ = ["Parameters", "derived", "each_alternative"]

ALWAYS_SET = frozenset(
    ["HOME", "USER", "LOGNAME", "PATH", "PWD", "OLDPWD", "SHELL", "HOSTNAME", "UID", "EUID", "PPID", "TERM", "LANG"]
)
"""Variables that every session has: unknown, but never unset."""
_MOMENT = frozenset(["RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME", "BASHPID"])
_MAX_INDEX = 100_000


def derived(text: Text) -> Text:
    """An unknown made from a text with unknown pieces by an operation that hides them: the first one's reason stays."""
    first = next((piece for piece in text if piece.unknown is not None), None)
    if first is None:
        return unknown("computed:text")
    symbolic = all(piece.symbolic for piece in text if piece.unknown is not None)
    return (Piece("", first.unknown, first.origins, None, (), symbolic),)


def each_alternative(text: Text, function: Callable[[Text], Text | None]) -> Text:
    """`function` of a text; where one of its pieces has alternatives, of each, giving alternatives again."""
    open_pieces = [piece for piece in text if piece.unknown is not None]
    if not open_pieces:
        result = function(text)
        return result if result is not None else unknown("computed:text")
    first = open_pieces[0]
    counts = {len(piece.alternatives) for piece in open_pieces}
    if not first.alternatives or {piece.group for piece in open_pieces} != {first.group} or len(counts) != 1:
        result = function(text)
        return result if result is not None else derived(text)
    results: list[str] = []
    for arm in range(len(first.alternatives)):
        chosen = tuple(
            piece if piece.unknown is None else Piece(piece.alternatives[arm], None, piece.origins) for piece in text
        )
        result = function(chosen)
        whole = known(result) if result is not None else None
        if whole is None:
            return derived(text)
        results.append(whole)
    if len(set(results)) == 1:
        return literal(results[0])
    return (Piece("", first.unknown, first.origins, None, tuple(results), first.symbolic, first.group),)


class Parameters(Numbers):
    """Values of parameters in the current state of a script."""

    def __init__(self, shell: Evaluator) -> None:
        super().__init__(shell)
        self.open_seen = False

    def value(self, word: Word) -> Text:
        """The value of a word without splitting; defined by the expander."""
        raise NotImplementedError

    def fields(self, words: list[Word]) -> list[Element]:
        """The fields of words; defined by the expander."""
        raise NotImplementedError

    def pattern(self, word: Word) -> patterns.Pattern | None:
        """A word as a pattern; defined by the expander."""
        raise NotImplementedError

    def lookup(self, name: str, subscript: Word | str | None = None) -> Text | None:
        """The value of a parameter, None if it is unset."""
        shell = self.shell
        if shell.names_read is not None:
            shell.names_read.add(name)
        variable = shell.state.variables.get(name)
        if variable is not None:
            if "n" in variable.attributes and variable.value:
                target = known(variable.value)
                return self.lookup(target, subscript) if target is not None and target != name else None
            return self._variable(name, variable, subscript)
        if (number := whole(name)) is not None:
            return self._positional(number)
        return self._special(name, subscript)

    def _variable(self, name: str, variable: Variable, subscript: Word | str | None) -> Text | None:
        if variable.items is None:
            if isinstance(subscript, Word):
                index = known(self.value(subscript))
                return variable.value if index in ("0", "") else None
            return variable.value
        if subscript is None:
            element = variable.items.get("0" if "A" in variable.attributes else 0)
        else:
            assert isinstance(subscript, Word)
            key = self.subscript(subscript, variable)
            if key is None:
                reason = reason_of(self.value(subscript)) or "computed:subscript"
                return unknown(reason)
            element = variable.element(key)
        if element is None:
            return None
        return assigned(element.text, element.span, name) if element.span is not None else element.text

    def subscript(self, word: Word, variable: Variable | None) -> int | str | None:
        """The key that a subscript means; None if it is unknown."""
        if variable is not None and "A" in variable.attributes:
            return known(self.value(word))
        number = self.number(word)
        if number is None:
            return None
        if number < 0 and variable is not None and variable.items:
            highest = max((key for key in variable.items if isinstance(key, int)), default=-1)
            return highest + 1 + number
        return number if abs(number) < _MAX_INDEX else None

    def _positional(self, number: int) -> Text | None:
        position = self.shell.state.positional
        if number == 0:
            return self.shell.zero if self.shell.zero is not None else self.shell.script_path()
        if number <= len(position.items):
            element = position.items[number - 1]
            return assigned(element.text, element.span, f"${number}") if element.span is not None else element.text
        if position.open and number - len(position.items) <= position.least:
            return unknown(f"argument:${number - len(position.items) + position.base}")
        return None

    def _special(self, name: str, subscript: Word | str | None) -> Text | None:
        shell = self.shell
        position = shell.state.positional
        if name == "#":
            if position.open:
                return unknown("argument:$#")
            return literal(str(len(position.items)))
        if name in ("@", "*"):
            return self.join(list(position.items)) or None
        if name == "?":
            return literal("0") if shell.status is True else unknown("special:?")
        if name in ("$", "!", "_") or name in _MOMENT:
            return unknown(f"special:{name}", symbolic=True)
        if name == "-":
            return literal("hB")
        if name == "PWD":
            return shell.working_directory()
        if name == "BASH_SOURCE":
            paths = shell.sources()
            index = self.number(subscript) if isinstance(subscript, Word) else 0
            return paths[index] if index is not None and -len(paths) <= index < len(paths) else None
        if name == "FUNCNAME":
            return literal(shell.function_name)
        if name == "IFS":
            return literal(" \t\n")
        if name == "OSTYPE":
            return literal("linux-gnu")
        if name in ("LINENO", "BASH_VERSION", "SHLVL"):
            return unknown(f"special:{name}", symbolic=True)
        if name in ALWAYS_SET:
            return unknown(f"env:{name}", symbolic=True)
        if name in shell.state.required:
            return unknown(f"env:{name}")
        return None

    def parameter(self, found: Parameter) -> Text:
        """The value of a parameter that is a single text."""
        shell = self.shell
        span = Span(shell.source, found.start, found.end)
        if found.operator in (":-", "-", ":=", "=", ":?", "?", ":+", "+"):
            chosen = self.choose(found)
            if not isinstance(chosen, Word):
                return chosen
            text = self.value(chosen)
            if found.operator in (":+", "+"):
                return text
            text = assigned(text, Span(shell.source, chosen.start, chosen.end), found.name, "fallback")
            if found.operator in (":=", "="):
                shell.assign_text(found.name, text)
            return text
        text_or_none = self._base(found)
        if found.length:
            return self._length(found, text_or_none)
        if text_or_none is None:
            return self._unset(found, span)
        text = text_or_none
        if not found.operator:
            return self._placed(text, span)
        return self._operate(found, text)

    def _placed(self, text: Text, span: Span) -> Text:
        """Unknowns that arise here get this place as their origin."""
        if len(text) == 1 and text[0].unknown is not None and not text[0].origins:
            return (text[0].with_origins((Origin("variable", span),)),)
        return text

    def _unset(self, found: Parameter, span: Span) -> Text:
        """The value of a parameter that nothing sets: the environment or the caller may."""
        name = found.name
        variable = self.shell.state.variables.get(name)
        if variable is not None:
            return EMPTY
        if (place := whole(name)) is not None:
            position = self.shell.state.positional
            if not position.open:
                return EMPTY
            return unknown(f"argument:${place - len(position.items) + position.base}", span=span, what="argument")
        if name in ("@", "*", "BASH_REMATCH", "REPLY", "OPTARG", "BASH_SOURCE"):
            return EMPTY
        return unknown(f"env:{name}", span=span, what="variable")

    def _base(self, found: Parameter) -> Text | None:
        if not found.indirect:
            subscript = found.subscript if isinstance(found.subscript, Word) else None
            return self.lookup(found.name, subscript)
        target_text = self.lookup(found.name, found.subscript if isinstance(found.subscript, Word) else None)
        if target_text is None:
            return unknown(f"env:{found.name}")
        target = known(target_text)
        if target is None:
            return derived(target_text)
        name, bracket, rest = target.partition("[")
        if not name.replace("_", "a").isalnum():
            return unknown("computed:indirect")
        subscript = None
        if bracket:
            subscript = Word([Literal(rest.rstrip("]"), 0, 0, True)], 0, 0)
        value = self.lookup(name, subscript)
        if value is None and name not in self.shell.state.variables and not found.operator:
            return self._unset(Parameter(name, found.start, found.end, found.quoted), self._span(found))
        return value

    def _span(self, found: Parameter) -> Span:
        return Span(self.shell.source, found.start, found.end)

    def choose(self, found: Parameter) -> Text | Word:
        """`:-`, `:=`, `:?`, `:+` and their forms without colon: the value, or the word that stands for it."""
        operator = found.operator
        argument = found.argument if found.argument is not None else Word([], found.end - 1, found.end - 1)
        text = self._base(found)
        null = operator.startswith(":")
        if text is None:
            given = False
        elif not null:
            given = True
        else:
            scenario = self.shell.in_scenario(text, note=False)
            whole = known(scenario)
            if whole is not None:
                given = whole != ""
            elif len(text) == 1 and text[0].alternatives:
                return self._choose_alternatives(found, text, argument)
            else:
                given = True
        if operator.endswith("?"):
            if given:
                return text if text is not None else EMPTY
            return self._required(found)
        if operator.endswith("+"):
            if not given:
                return EMPTY
            return argument
        if given and text is not None:
            return self._placed(text, self._span(found))
        return argument

    def _choose_alternatives(self, found: Parameter, text: Text, argument: Word) -> Text:
        """The choice for each arm of a branch that set the parameter differently."""
        default = self.value(argument)

        def pick(value: Text) -> Text:
            filled = bool(known(value))
            if found.operator.endswith("+"):
                return default if filled else EMPTY
            return value if filled else default

        return each_alternative(text, pick)

    def _required(self, found: Parameter) -> Text:
        name = f"${found.name}" if found.name.isdigit() else found.name
        if not found.name.isdigit():
            self.shell.state.required |= {found.name}
        return unknown(f"required:{name}", span=self._span(found), what="variable")

    def _length(self, found: Parameter, text: Text | None) -> Text:
        if text is None:
            if found.name not in self.shell.state.variables and not found.name.isdigit():
                return unknown(f"env:{found.name}", span=self._span(found))
            return literal("0")
        return each_alternative(
            text, lambda value: None if (whole := known(value)) is None else literal(str(len(whole)))
        )

    def _operate(self, found: Parameter, text: Text) -> Text:
        operator = found.operator
        if operator == ":":
            return self._slice(found, text)
        if operator[0] in "#%":
            pattern = self.pattern(found.argument) if found.argument is not None else None
            if pattern is None:
                return derived(text)
            return each_alternative(text, lambda value: patterns.trim(value, pattern, operator) if value else value)
        if operator[0] == "/":
            return self._replace(found, text)
        if operator[0] in "^,":
            only = self.pattern(found.argument) if found.argument is not None and found.argument.pieces else None
            return each_alternative(text, lambda value: _change_case(value, operator, only))
        if operator == "@Q":
            return each_alternative(text, _quoted)
        if operator in ("@U", "@L", "@u"):
            return each_alternative(text, lambda v: _change_case(v, {"@U": "^^", "@L": ",,", "@u": "^"}[operator]))
        return text

    def _slice(self, found: Parameter, text: Text) -> Text:
        start = self.number(found.argument) if found.argument is not None else 0
        size = self.number(found.replacement) if found.replacement is not None else None
        if start is None or (size is None and found.replacement is not None):
            return derived(text)

        def slice_of(value: Text) -> Text | None:
            whole = known(value)
            if whole is None:
                return None
            begin = len(whole) + start if start < 0 else start
            if begin < 0:
                return EMPTY
            end = len(whole) if size is None else len(whole) + size if size < 0 else begin + size
            return cut(value, begin, min(end, len(whole))) if begin < end else EMPTY

        return each_alternative(text, slice_of)

    def _replace(self, found: Parameter, text: Text) -> Text:
        pattern = self.pattern(found.argument) if found.argument is not None else None
        replacement = known(self.value(found.replacement)) if found.replacement is not None else ""
        if pattern is None or replacement is None:
            return derived(text)
        return each_alternative(text, lambda value: patterns.replace(value, pattern, replacement, found.operator))

    def elements(self, found: Parameter) -> list[Element] | None:
        """The elements of `$@`, `$*`, `${array[@]}` and their forms; None if the parameter is a single text."""
        name = found.name
        shell = self.shell
        if found.operator == "names":
            names = sorted(each for each in shell.state.variables if each.startswith(name))
            return [Element(literal(each), None) for each in names]
        multiple = found.subscript in ("@", "*")
        if name not in ("@", "*") and not multiple:
            return None
        if multiple and found.indirect:
            variable = shell.state.variables.get(name)
            keys = list(variable.items) if variable is not None and variable.items is not None else []
            return [Element(literal(str(key)), None) for key in keys]
        elements = self._all_elements(found)
        if found.length:
            return [Element(self._count(found, elements), None)]
        operator = found.operator
        if operator in (":-", "-", ":=", "=", ":+", "+", ":?", "?"):
            empty = not elements
            if operator.endswith("+"):
                if empty:
                    return []
            elif not empty:
                return elements
            elif operator.endswith("?"):
                return []
            argument = found.argument
            if argument is None or not argument.pieces:
                return []
            inner = list(argument.pieces)
            if found.quoted:
                parts = self.fields([Word(inner, argument.start, argument.end)])
                if len(inner) == 1 and type(inner[0]) is Parameter:
                    return parts
                return [Element(self.value(argument), Span(shell.source, argument.start, argument.end))]
            return self.fields([Word(inner, argument.start, argument.end)])
        if operator == ":":
            return self._slice_elements(found, elements)
        if operator:
            return [Element(self._operate(found, each.text), each.span, each.condition) for each in elements]
        return elements

    def _all_elements(self, found: Parameter) -> list[Element]:
        state = self.shell.state
        if found.name in ("@", "*"):
            if state.positional.open:
                self.open_seen = True
                if self.shell.names_read is not None:
                    self.shell.names_read.add("#")
            return list(state.positional.items)
        if self.shell.names_read is not None:
            self.shell.names_read.add(found.name)
        variable = state.variables.get(found.name)
        if variable is None:
            if found.name == "BASH_SOURCE":
                return [Element(path, None) for path in self.shell.sources()]
            return []
        if "n" in variable.attributes and variable.value:
            target = known(variable.value)
            variable = state.variables.get(target) if target else None
            if variable is None:
                return []
        if variable.open:
            self.open_seen = True
        if variable.items is None:
            return [Element(variable.value, None)] if variable.value is not None else []
        if len(variable.items) > 1 and "A" not in variable.attributes:
            keys = [key for key in variable.items if isinstance(key, int)]
            ordered = sorted(keys)
            if keys != ordered:
                return [variable.items[key] for key in ordered]
        return list(variable.items.values())

    def _count(self, found: Parameter, elements: list[Element]) -> Text:
        variable = self.shell.state.variables.get(found.name)
        if (found.name in ("@", "*") and self.shell.state.positional.open) or (variable is not None and variable.open):
            return unknown("argument:$#")
        if variable is not None and (uncounted := variable.uncounted) is not None:
            return derived(uncounted)
        if any(each.condition for each in elements):
            return unknown(next(each.condition for each in elements if each.condition) or "computed:length")
        return literal(str(len(elements)))

    def _slice_elements(self, found: Parameter, elements: list[Element]) -> list[Element]:
        start = self.number(found.argument) if found.argument is not None else 0
        size = self.number(found.replacement) if found.replacement is not None else None
        if start is None:
            return elements
        if found.name in ("@", "*"):
            if start == 0:
                elements = [Element(self.shell.script_path(), None), *elements]
            else:
                start -= start > 0
        if uncounted := [each for each in elements if each.loose]:
            return uncounted[:1]
        begin = max(len(elements) + start, 0) if start < 0 else start
        return elements[begin:] if size is None else elements[begin : max(begin + size, begin)]

    def joins(self, found: Parameter) -> bool:
        """Whether the elements become one word, joined by the first separator (`"$*"`)."""
        if found.length:
            return True
        return found.quoted and (found.name == "*" or found.subscript == "*" or found.operator == "names")

    def join(self, elements: list[Element], separator: str = "") -> Text:
        """Elements as one text, joined by the first character of IFS (or by `separator`)."""
        if not separator:
            separators = self.shell.separators()
            separator = separators[:1]
        parts: list[Text] = []
        for index, element in enumerate(elements):
            if index and separator:
                parts.append((Piece(separator),))
            parts.append(element.text)
        if self.open_seen and self.shell.state.positional.open and not elements:
            return (OPEN,)
        return concatenate(parts)


def _change_case(text: Text, operator: str, only: patterns.Pattern | None = None) -> Text | None:
    """Upper or lower case of all characters or the first; `only` those that a pattern matches."""
    whole = known(text)
    if whole is None:
        return None

    def change(char: str) -> str:
        if only is not None and not patterns.matches(only, char):
            return char
        return char.upper() if operator[0] == "^" else char.lower()

    if len(operator) == 2:
        return literal("".join(change(char) for char in whole))
    return literal(change(whole[:1]) + whole[1:])


def _quoted(text: Text) -> Text | None:
    whole = known(text)
    return None if whole is None else literal("'" + whole.replace("'", "'\\''") + "'")
