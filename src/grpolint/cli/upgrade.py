"""`grpolint upgrade`: what another release of a framework changes for a launch file."""

from __future__ import annotations

import os
import sys

from grpolint import catalog
from grpolint.catalog import lookup
from grpolint.cli.inputs import Input, read_input
from grpolint.cli.main import FINDINGS, NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_supply, releases, supplied
from grpolint.cli.output import paint_for
from grpolint.documents.source import SourceError
from grpolint.settings_file import SettingsError, nearest
from grpolint.upgrade import UpgradeError, upgrades

__all__ = ["main"]

_EPILOG = """\
exit code: 0 the file can stay as it is, 1 it must be changed, 2 usage or an unknown release, 3 nothing recognised as a launch
"""


def main(words: list[str]) -> int:
    """Print what changes; the result is the exit code."""
    parser = Parser(
        "grpolint upgrade",
        "Say what another release of a framework changes for a launch file.",
        "grpolint upgrade FILE --to FRAMEWORK==VERSION [--from FRAMEWORK==VERSION] [OPTION]...",
        _EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a launch file, or - for standard input")
    parser.add_argument(
        "--to",
        metavar="FRAMEWORK==VERSION",
        action="append",
        default=[],
        required=True,
        help="release to go to; may be repeated",
    )
    parser.add_argument(
        "--from",
        metavar="FRAMEWORK==VERSION",
        action="append",
        default=[],
        dest="start",
        help="release in use now; default: what requirements, lock files, images or the options tell",
    )
    parser.add_argument("--all", action="store_true", help="also the defaults that hardly matter for the result")
    parser.add_argument("--stdin-filename", metavar="PATH", help="what standard input is called")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_supply(parser)
    found = parser.read(words)
    try:
        target, start = releases(found.to, "--to"), releases(found.start, "--from")
        folder = os.path.dirname(found.stdin_filename or "" if found.file == "-" else found.file) or "."
        settings = nearest(folder)
        given = supplied(found, settings)
        source = read_input(Input(found.file, True, settings), found.stdin_filename)
        results = upgrades(
            source,
            given,
            target,
            {**{name: given.versions[name] for name in target if name in given.versions}, **start},
        )
    except (UsageError, SettingsError) as error:
        parser.error(str(error))
    except (SourceError, UpgradeError) as error:
        print(f"grpolint upgrade: {str(error).encode('ascii', 'backslashreplace').decode()}", file=sys.stderr)
        return NOTHING if str(error).endswith("no training launch recognised") else USAGE
    for name, wanted in {**target, **start}.items():
        answer = lookup.release(name, wanted)
        if answer != wanted and catalog.versions(name):
            print(f"grpolint: the catalog does not have {name} {wanted}; {answer} answers for it", file=sys.stderr)
    must = any(each.must for each in results)
    if found.format == "json":
        from grpolint.report.json import dump
        from grpolint.report.upgrade import upgrade_row

        print(
            dump({"schema": "grpolint.upgrade/1", "must_change": must, "runs": [upgrade_row(each) for each in results]})
        )
    else:
        from grpolint.report.upgrade import upgrade_text

        paint = paint_for(found.color)
        print("\n\n".join(upgrade_text(each, paint, everything=found.all) for each in results))
    return FINDINGS if must else OK
