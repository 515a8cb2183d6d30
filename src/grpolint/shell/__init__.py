"""Launch scripts, read statically: what they start, with which arguments and environment. Nothing is ever executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grpolint.documents.source import Problem, Source
from grpolint.launch import Launch, Slip
from grpolint.records import Record

__all__ = ["ShellReading", "read"]


class ShellReading(Record):
    """What was found in a script, in the order in which bash would come to it.

    `problems` are syntax errors and limits that were reached, with their place; what is not affected was read.
    """

    launches: tuple[Launch, ...] = ()
    problems: tuple[Problem, ...] = ()
    slips: tuple[Slip, ...] = ()


def read(
    source: Source,
    *,
    env: Mapping[str, str] | None = None,
    lookup: Callable[[str, Source], Source | None] | None = None,
) -> ShellReading:
    """Read a script as bash would run it without arguments. Never raises on any text.

    `env` are variables of the environment the user supplied: they win over `${X:-default}`. `lookup(path, near)` gives
    the text of a file that the script sources, reads or runs, None if there is none.
    """
    from grpolint.shell.context import Exhausted
    from grpolint.shell.evaluate import Evaluator
    from grpolint.shell.launching import CURIOUS, LENIENT, STRICT
    from grpolint.shell.streams import Streams

    found = ShellReading()
    for mode in (STRICT, LENIENT, CURIOUS):
        shell = Evaluator(source, env or {}, lookup, mode)
        ended = 0
        try:
            nodes = shell.parse(source)
            ended = shell.run(nodes, Streams(None, None))
        except Exhausted:
            shell.problem("more steps than any launch script needs: what follows is not read", None)
        except RecursionError:
            shell.problem("commands nested too deeply to be followed: what follows is not read", None)
        except Exception as error:  # noqa: BLE001 - a fault of the reader must not take the other files with it
            shell.problem(f"the reader failed on this script, what follows is not read: {error!r}", None)
        found = ShellReading(tuple(draft.finish() for draft in shell.drafts), tuple(shell.problems), tuple(shell.slips))
        # Nothing launched: perhaps only for want of an argument, or behind a check that this machine fails.
        if found.launches or not (ended or shell.by_absence):
            break
    return found
