"""`grpolint show`: what was read, and where each value comes from."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from grpolint.cli.inputs import Input, guarded, read_input
from grpolint.cli.main import NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_supply, supplied
from grpolint.cli.output import paint_for
from grpolint.documents.source import SourceError
from grpolint.reader import Reading, read, read_launches
from grpolint.settings_file import SettingsError, nearest

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Show the settings of a file, or with --argv its launches; the result is the exit code."""
    parser = _parser()
    found = parser.read(words)
    if found.argv and found.key:
        parser.error("--argv shows launches; a key is of no use with it")
    try:
        import os

        folder = os.path.dirname(found.stdin_filename or "" if found.file == "-" else found.file) or "."
        settings = nearest(folder)
        given = supplied(found, settings)
        source = read_input(Input(found.file, True, settings), found.stdin_filename)
        reading = guarded(read_launches if found.argv else read, source, given, found.verbose)
    except (UsageError, SettingsError) as error:
        parser.error(str(error))
    except SourceError as error:
        if found.format == "json":
            _print_json(found, [], [{"file": found.file, "message": str(error)}])
        print(f"grpolint show: {str(error).encode('ascii', 'backslashreplace').decode()}", file=sys.stderr)
        return USAGE
    return _argv(found, reading) if found.argv else _settings(found, reading)


def _parser() -> Parser:
    parser = Parser(
        "grpolint show",
        "Show the effective settings of a launch file and where each comes from.",
        "grpolint show FILE [KEY] [--argv] [--changed] [--format text|json] [OPTION]...",
    )
    parser.add_argument("file", metavar="FILE", help="a launch file, or - for standard input")
    parser.add_argument(
        "key", metavar="KEY", nargs="?", help="only this option, or those that match a pattern with * ?"
    )
    parser.add_argument("--argv", action="store_true", help="what the script starts, before any framework looks at it")
    parser.add_argument("--changed", action="store_true", help="only what somebody set, no defaults and no facts")
    parser.add_argument("--stdin-filename", metavar="PATH", help="what standard input is called")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("-v", "--verbose", action="store_true", help="where grpolint itself failed, if it does")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_supply(parser)
    return parser


def _print_json(found: argparse.Namespace, items: list[dict[str, Any]], errors: list[dict[str, Any]]) -> None:
    from grpolint.report.json import dump

    schema, name = ("grpolint.argv/1", "launches") if found.argv else ("grpolint.settings/1", "runs")
    print(dump({"schema": schema, name: items, "errors": errors}))


def _argv(found: argparse.Namespace, reading: Reading) -> int:
    if found.format == "json":
        from grpolint.report.json import argv_launch, problem

        launches = [argv_launch(launch) for launch in reading.launches]
        _print_json(found, launches, [problem(each, reading.source.path) for each in reading.problems])
    else:
        from grpolint.report.show import launch_text

        paint = paint_for(found.color)
        print("\n\n".join(launch_text(launch, paint) for launch in reading.launches) or "nothing is started here")
    return OK if reading.launches else NOTHING


def _settings(found: argparse.Namespace, reading: Reading) -> int:
    from grpolint.report.show import facts, rows

    chosen = [(run, rows(run, found.key, found.changed)) for run in reading.runs]
    known = [{} if found.changed or found.key else facts(run) for run in reading.runs]
    if found.format == "json":
        from grpolint.report.json import problem, settings_run

        runs = [settings_run(run, listed, each) for (run, listed), each in zip(chosen, known, strict=True)]
        _print_json(found, runs, [problem(each, reading.source.path) for each in reading.problems])
    else:
        from grpolint.report.show import run_text
        from grpolint.report.terminal import visible

        paint = paint_for(found.color)
        blocks = [
            run_text(run, listed, each, paint, brief=found.key is not None)
            for (run, listed), each in zip(chosen, known, strict=True)
        ]
        if blocks:
            print("\n\n".join(blocks))
        for what in reading.problems:
            print(f"grpolint: {visible(what.path or reading.source.path)}: {visible(what.message)}", file=sys.stderr)
        if not reading.runs:
            hint = "; --argv shows what it starts" if reading.launches else ""
            print(f"grpolint: {visible(reading.source.path)}: no training launch recognised{hint}", file=sys.stderr)
    if found.key is not None and reading.runs and not any(listed for _, listed in chosen):
        print(f"grpolint: no setting is called {found.key!r} here", file=sys.stderr)
        return USAGE
    return OK if reading.runs else NOTHING
