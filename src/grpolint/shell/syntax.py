"""The syntax tree of a script: statements, words and the pieces of words, with character offsets."""

from __future__ import annotations

from grpolint.documents.source import Source

__all__ = [
    "AndOr",
    "Arithmetic",
    "ArithmeticCommand",
    "ArithmeticFor",
    "ArrayLiteral",
    "Assignment",
    "Binary",
    "Case",
    "Clause",
    "Condition",
    "Conditional",
    "For",
    "Function",
    "Group",
    "HereDocument",
    "If",
    "Literal",
    "Logic",
    "Node",
    "Parameter",
    "Pipeline",
    "Process",
    "Redirect",
    "Simple",
    "Substitution",
    "Unary",
    "While",
    "Word",
    "WordPiece",
]


class Literal:
    """Characters that stand for themselves. `quoted` keeps them from globbing and splitting.

    The text is exactly the source's characters from `start` to `end` if it is as long; an escape makes them differ.
    """

    __slots__ = ("end", "quoted", "start", "text")

    def __init__(self, text: str, start: int, end: int, quoted: bool) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.quoted = quoted


class Parameter:
    """`$name`, `${name op argument}`. `operator` is "" for the plain value; `subscript` is a word, or `@` or `*`.

    `length` is `${#name}`, `indirect` is `${!name}`. `replacement` is the second argument of `/` and of a slice.
    """

    __slots__ = (
        "argument",
        "end",
        "indirect",
        "length",
        "name",
        "operator",
        "quoted",
        "replacement",
        "start",
        "subscript",
    )

    def __init__(self, name: str, start: int, end: int, quoted: bool) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.quoted = quoted
        self.operator = ""
        self.argument: Word | None = None
        self.replacement: Word | None = None
        self.subscript: Word | str | None = None
        self.length = False
        self.indirect = False


class Substitution:
    """`$(...)` or backquotes. `source` is set where backquotes with escapes made a text of their own."""

    __slots__ = ("body", "end", "quoted", "source", "start")

    def __init__(self, body: list[Node], start: int, end: int, quoted: bool, source: Source | None = None) -> None:
        self.body = body
        self.start = start
        self.end = end
        self.quoted = quoted
        self.source = source


class Arithmetic:
    """`$((...))`; `expression` is the text between, with its expansions."""

    __slots__ = ("end", "expression", "quoted", "start")

    def __init__(self, expression: Word, start: int, end: int, quoted: bool) -> None:
        self.expression = expression
        self.start = start
        self.end = end
        self.quoted = quoted


class Process:
    """`<(...)` and `>(...)`."""

    __slots__ = ("body", "direction", "end", "quoted", "start")

    def __init__(self, body: list[Node], direction: str, start: int, end: int) -> None:
        self.body = body
        self.direction = direction
        self.start = start
        self.end = end
        self.quoted = True


WordPiece = Literal | Parameter | Substitution | Arithmetic | Process


class Word:
    """One word as written. `literal` is its text if it has no expansion at all (no brace, no tilde either);
    `braces` says whether an unquoted brace stands in it.
    """

    __slots__ = ("braces", "end", "literal", "pieces", "start")

    def __init__(self, pieces: list[WordPiece], start: int, end: int) -> None:
        self.pieces = pieces
        self.start = start
        self.end = end
        self.literal: str | None = None
        self.braces = False
        texts: list[str] | None = []
        for piece in pieces:
            if type(piece) is not Literal:
                texts = None
                continue
            if not piece.quoted and "{" in piece.text:
                self.braces = True
            if texts is not None:
                texts.append(piece.text)
        if texts is None or self.braces:
            return
        text = texts[0] if len(texts) == 1 else "".join(texts)
        if not text.startswith("~") or pieces[0].quoted:
            self.literal = text


class ArrayLiteral:
    """`( ... )` behind an assignment: elements with their subscripts, None where none is written."""

    __slots__ = ("elements", "end", "start")

    def __init__(self, elements: list[tuple[Word | None, Word]], start: int, end: int) -> None:
        self.elements = elements
        self.start = start
        self.end = end


class Assignment:
    """`name=value`, `name+=value`, `name[subscript]=value`."""

    __slots__ = ("append", "end", "name", "start", "subscript", "value")

    def __init__(  # noqa: PLR0917 - the parts of an assignment in their order
        self, name: str, subscript: Word | None, append: bool, value: Word | ArrayLiteral, start: int, end: int
    ) -> None:
        self.name = name
        self.subscript = subscript
        self.append = append
        self.value = value
        self.start = start
        self.end = end


class HereDocument:
    """`<<EOF`: the body from `start` to `end`; `pieces` are its expansions, one literal if the delimiter is quoted."""

    __slots__ = ("delimiter", "end", "literal", "pieces", "start", "strip")

    def __init__(self, delimiter: str, literal: bool, strip: bool) -> None:
        self.delimiter = delimiter
        self.literal = literal
        self.strip = strip
        self.pieces: list[WordPiece] = []
        self.start = 0
        self.end = 0


class Redirect:
    """One redirection: descriptor (None where not written), operator, target."""

    __slots__ = ("descriptor", "end", "operator", "start", "target")

    def __init__(
        self, descriptor: str | None, operator: str, target: Word | HereDocument, start: int, end: int
    ) -> None:
        self.descriptor = descriptor
        self.operator = operator
        self.target = target
        self.start = start
        self.end = end


class Simple:
    """A simple command. Words of `declare`, `export`, `local`, `readonly` may be assignments."""

    __slots__ = ("assignments", "end", "redirects", "start", "words")

    def __init__(
        self,
        assignments: list[Assignment],
        words: list[Word | Assignment],
        redirects: list[Redirect],
        start: int,
        end: int,
    ) -> None:
        self.assignments = assignments
        self.words = words
        self.redirects = redirects
        self.start = start
        self.end = end


class Pipeline:
    """Commands joined by `|`, perhaps negated."""

    __slots__ = ("commands", "negated", "start")

    def __init__(self, commands: list[Node], negated: bool, start: int) -> None:
        self.commands = commands
        self.negated = negated
        self.start = start


class AndOr:
    """Pipelines joined by `&&` and `||`: `rest` holds operator and operand."""

    __slots__ = ("first", "rest", "start")

    def __init__(self, first: Node, rest: list[tuple[str, Node]], start: int) -> None:
        self.first = first
        self.rest = rest
        self.start = start


class Clause:
    """One arm of an `if`: condition (None for `else`) and body."""

    __slots__ = ("body", "condition", "start")

    def __init__(self, condition: list[Node] | None, body: list[Node], start: int) -> None:
        self.condition = condition
        self.body = body
        self.start = start


class If:
    """`if ... elif ... else ... fi`."""

    __slots__ = ("clauses", "redirects", "start")

    def __init__(self, clauses: list[Clause], start: int) -> None:
        self.clauses = clauses
        self.start = start
        self.redirects: list[Redirect] = []


class For:
    """`for name in words; do ... done`; `words` is None for the positional parameters."""

    __slots__ = ("body", "name", "redirects", "start", "words")

    def __init__(self, name: str, words: list[Word] | None, body: list[Node], start: int) -> None:
        self.name = name
        self.words = words
        self.body = body
        self.start = start
        self.redirects: list[Redirect] = []


class ArithmeticFor:
    """`for ((begin; test; step)); do ... done`."""

    __slots__ = ("begin", "body", "redirects", "start", "step", "test")

    def __init__(self, begin: Word, test: Word, step: Word, body: list[Node], start: int) -> None:
        self.begin = begin
        self.test = test
        self.step = step
        self.body = body
        self.start = start
        self.redirects: list[Redirect] = []


class While:
    """`while` and `until`."""

    __slots__ = ("body", "condition", "redirects", "start", "until")

    def __init__(self, condition: list[Node], body: list[Node], until: bool, start: int) -> None:
        self.condition = condition
        self.body = body
        self.until = until
        self.start = start
        self.redirects: list[Redirect] = []


class Case:
    """`case word in ... esac`: arms of patterns, body and terminator (`;;`, `;&`, `;;&`)."""

    __slots__ = ("arms", "redirects", "start", "word")

    def __init__(self, word: Word, arms: list[tuple[list[Word], list[Node], str]], start: int) -> None:
        self.word = word
        self.arms = arms
        self.start = start
        self.redirects: list[Redirect] = []


class Group:
    """`{ ... }`, or `( ... )` if `subshell`."""

    __slots__ = ("body", "redirects", "start", "subshell")

    def __init__(self, body: list[Node], subshell: bool, start: int) -> None:
        self.body = body
        self.subshell = subshell
        self.start = start
        self.redirects: list[Redirect] = []


class Function:
    """A function definition."""

    __slots__ = ("body", "name", "start")

    def __init__(self, name: str, body: Node, start: int) -> None:
        self.name = name
        self.body = body
        self.start = start


class Unary:
    """`-z word`, or a bare word if the operator is `-n`."""

    __slots__ = ("operand", "operator")

    def __init__(self, operator: str, operand: Word) -> None:
        self.operator = operator
        self.operand = operand


class Binary:
    """`left == right` inside `[[ ]]`."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, operator: str, left: Word, right: Word) -> None:
        self.operator = operator
        self.left = left
        self.right = right


class Logic:
    """`&&`, `||` of two conditions, or `!` of the one in `left`."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, operator: str, left: Condition, right: Condition | None) -> None:
        self.operator = operator
        self.left = left
        self.right = right


Condition = Unary | Binary | Logic


class Conditional:
    """`[[ ... ]]`."""

    __slots__ = ("condition", "redirects", "start")

    def __init__(self, condition: Condition, start: int) -> None:
        self.condition = condition
        self.start = start
        self.redirects: list[Redirect] = []


class ArithmeticCommand:
    """`(( ... ))`."""

    __slots__ = ("expression", "redirects", "start")

    def __init__(self, expression: Word, start: int) -> None:
        self.expression = expression
        self.start = start
        self.redirects: list[Redirect] = []


Node = (
    Simple
    | Pipeline
    | AndOr
    | If
    | For
    | ArithmeticFor
    | While
    | Case
    | Group
    | Function
    | Conditional
    | ArithmeticCommand
)
