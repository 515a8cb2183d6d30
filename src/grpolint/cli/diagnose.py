"""`grpolint diagnose`: rank the causes of what a run shows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from grpolint.cli.inputs import Input, guarded, read_input
from grpolint.cli.main import NOTHING, OK
from grpolint.cli.options import Parser, UsageError, add_supply, supplied
from grpolint.cli.output import paint_for
from grpolint.diagnose import Log, LogError, diagnose, open_log
from grpolint.documents.source import SourceError
from grpolint.run import Run
from grpolint.settings_file import SettingsError, nearest

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Print the diagnosis; the result is OK if any cause is ranked, else NOTHING."""
    parser = _parser()
    found = parser.read(words)
    if not (found.logs or found.symptoms):
        parser.error("give a log, or --symptoms with what you see")
    try:
        logs = [_open(path) for path in found.logs]
        run = _run(found.run, found) if found.run is not None else None
    except (UsageError, SettingsError, SourceError, LogError) as error:
        parser.error(str(error))
    diagnosis = diagnose(found.symptoms, logs, found.topic, run)
    if found.format == "json":
        from grpolint.report.diagnosis import data
        from grpolint.report.json import dump

        print(dump(data(diagnosis)))
    else:
        from grpolint.report.diagnosis import text

        print(text(diagnosis, paint_for(found.color), found.limit))
    return OK if diagnosis.ranked else NOTHING


def _parser() -> Parser:
    from grpolint.report.diagnosis import SHOWN
    from grpolint.topics import TOPICS

    parser = Parser(
        "grpolint diagnose",
        "Rank the causes of what a run shows, with the evidence for each.",
        "grpolint diagnose [--symptoms TEXT] [--run FILE] [--topic TOPIC] [--format text|json] [LOG|-]...",
        "Logs may be compressed (gzip, bzip2, xz). Exit code 0 if a cause is ranked, 3 if none is.",
    )
    parser.add_argument("logs", nargs="*", metavar="LOG", help="logs of the run, or - for standard input")
    parser.add_argument("--symptoms", metavar="TEXT", help="names with commas between, or what you see in words")
    parser.add_argument("--run", metavar="FILE", help="launch file of the run, which confirms or excludes causes")
    parser.add_argument("--topic", choices=TOPICS, help="only causes of this topic")
    parser.add_argument("--limit", type=_count, default=SHOWN, metavar="N", help="causes shown in full (default 8)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("-v", "--verbose", action="store_true", help="where grpolint itself failed, if it does")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_supply(parser)
    return parser


def _count(text: str) -> int:
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _open(path: str) -> Log:
    try:
        return open_log(path)
    except LogError as error:
        hint = f"; what you see goes into --symptoms {path!r}" if "no such file" in str(error) and " " in path else ""
        raise LogError(f"{error}{hint}") from None


def _run(path: str, found: Namespace) -> Run:
    """The first run of a launch file. Raises SourceError where it starts nothing known."""
    import os

    from grpolint.reader import read

    settings = nearest(os.path.dirname(path) or ".")
    source = read_input(Input(path, True, settings))
    reading = guarded(read, source, supplied(found, settings), found.verbose)
    if not reading.runs:
        raise SourceError(f"{path}: no training launch recognised")
    if len(reading.runs) > 1:
        print(f"grpolint diagnose: {path} starts {len(reading.runs)} runs; the first one is taken", file=sys.stderr)
    return reading.runs[0]
