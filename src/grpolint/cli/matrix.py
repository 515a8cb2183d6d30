"""`grpolint matrix`: frameworks and classes of faults, and the 36 rules of the handbook on a configuration."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grpolint.cli.inputs import Input, configured, guarded, inputs, read_input
from grpolint.cli.main import FINDINGS, NOTHING, OK, USAGE
from grpolint.cli.modes import split_mode
from grpolint.cli.options import Parser, UsageError, add_policy, add_supply, supplied
from grpolint.cli.output import paint_for, width_for
from grpolint.documents.source import SourceError
from grpolint.findings import Outcome
from grpolint.settings_file import SettingsError
from grpolint.values import Known

if TYPE_CHECKING:
    from grpolint.reader import Reading

__all__ = ["main"]

_MODES = {
    "show": "the matrix: each report where it really belongs, with its state (the default)",
    "validate": "the outcome of each of the 36 rules on launch files or a configuration",
    "rtx4090": "the same for the handbook's configuration on that card; any other card works the same way",
    "cross-framework": "each class of faults through all frameworks; with a file, which of them it is exposed to",
}


def main(words: list[str]) -> int:
    """Run a mode; the result is the exit code."""
    from grpolint.hardware import find_gpu

    mode, rest = split_mode(words, "show")
    if mode in ("show", "matrix"):  # the handbook's own command line says matrix
        return _show(rest)
    if mode == "cross-framework":
        return _across(rest)
    if mode == "validate" or find_gpu(mode) is not None:
        return _validate(mode, None if mode == "validate" else mode, rest)
    from grpolint.suggest import suggestion

    parser = _parser("", "")
    parser.error(f"unknown mode {mode!r}{suggestion(mode, _MODES) or '; there are ' + ', '.join(_MODES)}")
    return USAGE


def _parser(mode: str, what: str, usage: str = "") -> Parser:
    command = f"grpolint matrix {mode}".rstrip()
    width = max(map(len, _MODES))
    modes = "modes (also --mode MODE):\n" + "\n".join(f"  {name:<{width}}  {told}" for name, told in _MODES.items())
    parser = Parser(command, what or "The handbook's matrix and rules.", f"{command} {usage or '[OPTION]...'}", modes)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    return parser


def _add_inputs(parser: Parser) -> None:
    parser.add_argument("paths", nargs="*", metavar="FILE", help="launch files, or - for standard input")
    parser.add_argument(
        "--config", metavar="JSON|FILE", action="append", default=[], help="a configuration as JSON text, or its file"
    )
    add_supply(parser)


def _show(words: list[str]) -> int:
    found = _parser("show", "Frameworks and classes of faults, each report where it really belongs.").read(words)
    from grpolint.report import matrix

    if found.format == "json":
        from grpolint.report.json import dump

        print(dump({"schema": "grpolint.matrix/1", "patterns": matrix.matrix_rows()}))
        return OK
    print(matrix.matrix_text(paint_for(found.color), width_for()))
    return OK


def _validate(mode: str, gpu: str | None, words: list[str]) -> int:
    parser = _parser(
        mode, "The outcome of each of the handbook's 36 rules.", "[FILE]... [--config JSON|FILE] [--policy P]"
    )
    _add_inputs(parser)
    add_policy(parser)
    found = parser.read(words)
    from grpolint import handbook
    from grpolint.profiles import HANDBOOK_CARD, OPTIMAL, profile
    from grpolint.report import matrix
    from grpolint.report.json import dump

    own = not (found.paths or found.config)
    if own:
        found.config = [dump(OPTIMAL)]
    found.gpu = found.gpu or gpu or (HANDBOOK_CARD if own else None)
    failed, rows, texts = False, [], []
    for each, reading, policy in _readings(parser, found, profile(found.gpu) if gpu or own else {}):
        judgements = handbook.judge(reading, policy)
        failed = failed or any(one.outcome is Outcome.FAIL for one in judgements)
        what = f"the handbook's configuration on one {found.gpu}" if own else each.path
        rows.append({"file": None if own else each.path, "policy": policy, "rules": matrix.judged_rows(judgements)})
        texts.append(matrix.judged_text(judgements, (what, policy), own, paint_for(found.color), width_for()))
    if found.format == "json":
        print(dump({"schema": "grpolint.handbook/1", "files": rows}))
    else:
        print("\n\n".join(texts))
        if own and gpu is None:
            print("\nno file was given; `grpolint matrix validate FILE` or --config judges yours")
    return FINDINGS if failed else OK if rows else NOTHING


def _across(words: list[str]) -> int:
    parser = _parser(
        "cross-framework",
        "The same class of faults through all frameworks, and which of them a configuration is exposed to.",
        "[FILE]... [--config JSON|FILE] [--bug OWNER/REPO#N]",
    )
    _add_inputs(parser)
    parser.add_argument("--bug", metavar="OWNER/REPO#N", help="only the classes that this report stands in")
    add_policy(parser)
    found = parser.read(words)
    from grpolint.evidence import patterns, thread
    from grpolint.report import matrix
    from grpolint.report.json import dump
    from grpolint.topics.matrix import exposures, patterns_of

    chosen, bug = patterns(), None
    if found.bug is not None:
        try:
            named = patterns_of(found.bug)
        except ValueError as error:
            parser.error(f"--bug: {error}: say which")
        if named is None:
            parser.error(f"--bug: nothing is known of {found.bug!r}; `grpolint evidence` lists what is")
        ref, chosen = named
        bug = thread(ref)
    exposed = []
    if found.paths or found.config:
        for _, reading, _ in _readings(parser, found, {}):
            exposed += exposures(reading)
    if found.format == "json":
        print(
            dump(
                {
                    "schema": "grpolint.matrix/1",
                    "bug": bug.ref if bug else None,
                    "patterns": matrix.across_row(chosen, exposed),
                }
            )
        )
    else:
        print(matrix.across_text(chosen, exposed, bug, paint_for(found.color), width_for()))
    return FINDINGS if any(each.outcome is Outcome.FAIL for each in exposed) else OK


def _readings(
    parser: Parser, found: argparse.Namespace, declared: dict[str, Known]
) -> list[tuple[Input, Reading, str]]:
    """What is read of each file that the command line names, with the policy that holds for it. Ends with one line and code
    2 where one cannot be read or a named one is no launch.
    """
    from grpolint.reader import read
    from grpolint.records import replace

    out = []
    try:
        for each in (*map(configured, found.config), *inputs(found.paths)):
            given = replace(supplied(found, each.settings), profile=declared)
            reading = guarded(read, read_input(each), given, False)
            if reading.runs:
                out.append((each, reading, found.policy or each.settings.policy or "evidence"))
            elif each.named:
                parser.error(f"{each.path}: nothing in it starts or configures a training known here")
    except (UsageError, SettingsError, SourceError) as error:
        parser.error(str(error))
    return out
