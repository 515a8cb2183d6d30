"""`grpolint compare`: two launch files by what they mean."""

from __future__ import annotations

import os
import sys

from grpolint.cli.inputs import Input, guarded, read_input
from grpolint.cli.main import FINDINGS, NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_supply, supplied
from grpolint.cli.output import paint_for
from grpolint.compare import compare, paired
from grpolint.documents.source import SourceError
from grpolint.reader import Reading, read
from grpolint.settings_file import SettingsError, nearest

__all__ = ["main"]

_EPILOG = """\
exit code: 0 the files mean the same, 1 they differ, 2 usage or unreadable input, 3 a file starts nothing that is known
"""


def main(words: list[str]) -> int:
    """Print what differs; the result is the exit code."""
    parser = Parser(
        "grpolint compare",
        "Compare two launch files by their effective settings, facts and environment.",
        "grpolint compare A B [--format text|json] [OPTION]...",
        _EPILOG,
    )
    parser.add_argument("one", metavar="A", help="a launch file")
    parser.add_argument("other", metavar="B", help="another one")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("-v", "--verbose", action="store_true", help="where grpolint itself failed, if it does")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_supply(parser)
    found = parser.read(words)
    readings: list[Reading] = []
    try:
        for path in (found.one, found.other):
            settings = nearest(os.path.dirname(path) or ".")
            source = read_input(Input(path, True, settings))
            readings.append(guarded(read, source, supplied(found, settings), found.verbose))
    except (UsageError, SettingsError) as error:
        parser.error(str(error))
    except SourceError as error:
        print(f"grpolint compare: {str(error).encode('ascii', 'backslashreplace').decode()}", file=sys.stderr)
        return USAGE
    for reading in readings:
        if not reading.runs:
            print(f"grpolint compare: {reading.source.path}: no training launch recognised", file=sys.stderr)
            return NOTHING
    pairs, left, right = paired(readings[0].runs, readings[1].runs)
    results = [compare(one, other) for one, other in pairs]
    alike = not left and not right and all(each.same for each in results)
    if found.format == "json":
        from grpolint.report.compare import comparison_row
        from grpolint.report.json import dump

        only = [
            [{"line": run.span.line if run.span else None, "program": run.program} for run in runs]
            for runs in (left, right)
        ]
        rows = [comparison_row(each) for each in results]
        print(
            dump(
                {
                    "schema": "grpolint.compare/1",
                    "same": alike,
                    "pairs": rows,
                    "only_first": only[0],
                    "only_second": only[1],
                }
            )
        )
    else:
        from grpolint.report.compare import comparison_text, lonely

        paint = paint_for(found.color)
        blocks = [comparison_text(each, paint) for each in results]
        print("\n\n".join([*blocks, *(lonely(run, paint) for run in (*left, *right))]))
    return OK if alike else FINDINGS
