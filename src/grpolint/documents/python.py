"""Python scripts and notebook cells: the calls that configure training, with constants folded. Nothing is run.

Statements are walked in the order in which they would run. Branches that the file decides are followed; the others are
walked side by side and what differs afterwards is unknown. Functions are read after the module, with the arguments of
their only call where there is just one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

from grpolint.documents.nodes import Entry
from grpolint.documents.scopes import BudgetError, Call, Option, Places
from grpolint.documents.source import Problem, Source
from grpolint.documents.statements import Walker
from grpolint.documents.text import Text
from grpolint.records import Record, field

__all__ = ["Call", "Option", "PythonDocument", "analyse", "parse", "syntax"]

_TOO_MUCH = "too much to work out, values from here on are not read"


class PythonDocument(Record):
    """A parsed Python file or notebook.

    `calls` in the order of their places; `imports` maps local names to dotted origins; `options` are the command line
    options it declares; `strings` has the texts of several words that variables hold, the last one of each name;
    `environment` what it puts into `os.environ`; `shell` the shell cells and lines of a notebook.
    """

    source: Source
    calls: tuple[Call, ...] = ()
    problems: tuple[Problem, ...] = ()
    imports: dict[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    strings: dict[str, Text] = field(default_factory=dict)
    environment: tuple[Entry, ...] = ()
    shell: tuple[Source, ...] = ()
    language: str = "python"

    def named(self, *names: str) -> Iterator[Call]:
        """Calls whose last name is one of `names` (`GRPOConfig`)."""
        return (call for call in self.calls if call.last in names)


def parse(source: Source) -> PythonDocument:
    """Read a Python file; never raises. A syntax error is one Problem, and the statements before it are read."""
    return analyse(source, (source,))


def analyse(
    source: Source, units: Iterable[Source], shell: tuple[Source, ...] = (), language: str = "python"
) -> PythonDocument:
    """Read several pieces of Python, run one after the other in the same names: the cells of a notebook."""
    walker = Walker()
    problems: list[Problem] = []
    trees: list[tuple[ast.Module, Places]] = []
    for unit in units:
        tree = _tree(unit, problems)
        if tree is not None:
            trees.append(tree)
    try:
        walker.read(trees)
    except (BudgetError, RecursionError):
        problems.append(Problem(_TOO_MUCH, source.span(0, 0), source.path))
    calls = sorted(walker.found, key=lambda call: (call.span.outer().start, -call.span.end))
    return PythonDocument(
        source,
        tuple(calls),
        tuple(problems),
        walker.folder.imports,
        tuple(walker.folder.options),
        walker.strings,
        tuple(walker.settings.values()),
        shell,
        language,
    )


def _tree(source: Source, problems: list[Problem]) -> tuple[ast.Module, Places] | None:
    """The syntax tree, of the statements before the error if there is one; None if nothing can be read."""
    shift = 1 if source.text.startswith("\ufeff") else 0
    text = source.text[shift:].encode("utf-8", "replace").decode()
    lines: list[str] | None = None
    for _ in range(4):
        try:
            return syntax(text), Places(source, text, shift)
        except SyntaxError as error:
            row = min(error.lineno or 1, text.count("\n") + 1)
            lines = text.split("\n")
            if not problems or problems[-1].span is None or problems[-1].span.source is not source:
                start = shift + sum(len(line) + 1 for line in lines[: row - 1]) + max((error.offset or 1) - 1, 0)
                start = min(start, len(source.text))
                version = f"{sys.version_info[0]}.{sys.version_info[1]}"
                message = f"not valid Python {version}: {error.msg or 'syntax error'}"
                problems.append(Problem(message, source.span(start, min(start + 1, len(source.text))), source.path))
            # The statement at fault begins at the last line before the error that is not indented.
            cut = row - 1
            while cut > 0 and (not lines[cut].strip() or lines[cut][:1] in " \t)]}#"):
                cut -= 1
            if cut <= 0:
                return None
            text = "\n".join(lines[:cut])
        except (RecursionError, MemoryError, ValueError, OverflowError) as error:
            what = "nested too deeply" if not isinstance(error, ValueError) else str(error)[:80]
            problems.append(Problem(f"not readable as Python: {what}", source.span(0, 0), source.path))
            return None
    return None


def syntax(text: str) -> ast.Module:
    r"""`ast.parse` without the warnings that literals like "\\d" give."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
