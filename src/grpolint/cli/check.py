"""`grpolint check`: read files and folders, print findings."""

from __future__ import annotations

import argparse
import io
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grpolint.check import CRASH, Report, Selection, check, entries, find_entry
from grpolint.cli.inputs import Input, guarded, inputs, read_input
from grpolint.cli.main import FINDINGS, NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_supply, supplied
from grpolint.cli.output import paint_for, width_for
from grpolint.cli.progress import Progress
from grpolint.documents.source import SourceError
from grpolint.findings import Outcome, Severity
from grpolint.reader import Reading, read
from grpolint.report.summary import Tally
from grpolint.settings_file import LEVELS, FileSettings, SettingsError
from grpolint.world import Supplied

if TYPE_CHECKING:
    from grpolint.report.collect import Item

__all__ = ["main"]

EPILOG = """\
exit code: 0 nothing at or above --fail-on, 1 findings, 2 usage or unreadable input, 3 nothing recognised as a launch
settings:  the nearest grpolint.toml, or [tool.grpolint] in pyproject.toml; the command line comes first
"""


def main(words: list[str]) -> int:
    """Check what the words name; the result is the exit code."""
    parser = _parser()
    found = parser.read(words)
    try:
        return _Check(found).run()
    except (UsageError, SettingsError) as error:
        parser.error(str(error))


def _parser() -> Parser:
    parser = Parser(
        "grpolint check",
        "Say what will crash, hang, run out of memory or train silently wrong.",
        "grpolint check [OPTION]... [FILE|FOLDER|-]...",
        EPILOG,
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help="files, folders, or - for standard input; default .")
    parser.add_argument("--stdin-filename", metavar="PATH", help="what standard input is called")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument(
        "--select", metavar="RULES", action="append", default=[], help="only these: ids, names, families"
    )
    parser.add_argument("--ignore", metavar="RULES", action="append", default=[], help="not these")
    parser.add_argument("--fail-on", choices=LEVELS, help="least severity that makes exit code 1; default warning")
    parser.add_argument("--diff", action="store_true", help="show the edits of mechanical remedies; writes nothing")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    parser.add_argument("-q", "--quiet", action="store_true", help="only findings of severity error, no summary")
    parser.add_argument("-v", "--verbose", action="store_true", help="also what is undecided, unrecognised, skipped")
    add_supply(parser)
    return parser


@dataclass
class _Check:
    """One run of the command."""

    found: argparse.Namespace
    tally: Tally = field(default_factory=Tally)
    document: dict[str, Any] = field(default_factory=dict)
    blocks: int = 0
    failed: bool = False
    fail_on: int = Severity.WARNING
    seen: set[tuple[str, str, str, int]] = field(default_factory=set)
    edited: list[Item] = field(default_factory=list)
    _supplies: dict[str, Supplied] = field(default_factory=dict)
    _selections: dict[tuple[str, tuple[str, ...]], Selection] = field(default_factory=dict)

    def run(self) -> int:
        """Read, check and print everything."""
        self.paint = paint_for(self.found.color if self.found.format == "text" else "never")
        self.limit = width_for()
        self.progress = Progress(self.found.format == "text" and not self.found.quiet)
        self.document = {
            "schema": "grpolint.check/1",
            "files": [],
            "findings": [],
            "undecided": [],
            "unrecognised": [],
            "errors": [],
        }
        try:
            for each in inputs(self.found.paths or ["."], self.found.stdin_filename):
                self._one(each)
        finally:
            self.progress.clear()
        self._end()
        if self.tally.unreadable:
            return USAGE
        if self.failed:
            return FINDINGS
        return OK if self.tally.runs or self.tally.severities else NOTHING

    def _one(self, each: Input) -> None:
        self.fail_on = _level(self.found.fail_on or each.settings.fail_on)
        self.tally.read += 1
        self.progress.at(self.tally.read, each.path)
        given = self._supplied(each.settings)
        selection = self._selection(each.path, each.settings)
        try:
            source = read_input(each, self.found.stdin_filename)
            reading = guarded(read, source, given, self.found.verbose)
        except SourceError as error:
            if each.named:
                self._unreadable(str(error), each.path)
            else:
                self.tally.skipped += 1
            return
        report = check(reading, selection)
        items = self._new(_items(report))
        if not reading.runs and not items:
            self._not_recognised(each, reading)
            return
        self.tally.files += 1
        self.tally.runs += len(reading.runs)
        self.document["files"].append(source.path)
        for run in reading.runs:
            for name, settings in run.settings.items():
                if settings.version.assumed and len(settings):
                    self.tally.assumed[name] = settings.version.text
        self._problems(reading)
        self._findings(items)
        self._undecided(report)
        self._unrecognised(reading)

    def _supplied(self, settings: FileSettings) -> Supplied:
        if settings.path not in self._supplies:
            self._supplies[settings.path] = supplied(self.found, settings)
        return self._supplies[settings.path]

    def _selection(self, path: str, settings: FileSettings) -> Selection:
        also = _ignored_here(path, settings)
        if (settings.path, also) not in self._selections:
            select = _patterns(self.found.select, "--select")
            select = select or _patterns(settings.select, f"{settings.path}: select")
            ignore = _patterns(self.found.ignore, "--ignore")
            ignore += _patterns([*settings.ignore, *also], f"{settings.path}: ignore")
            self._selections[settings.path, also] = Selection(select, ignore)
        return self._selections[settings.path, also]

    def _new(self, items: list[Item]) -> list[Item]:
        """The findings that no earlier file has shown: several scripts may read the same configuration."""
        fresh = []
        for item in items:
            if item.span is not None:
                mark = (item.entry.id, item.finding.message, item.span.source.path, item.span.start)
                if mark in self.seen:
                    continue
                self.seen.add(mark)
            fresh.append(item)
        return fresh

    # printing

    def _print(self, block: str) -> None:
        self.progress.clear()
        print(("\n" if self.blocks else "") + block)
        self.blocks += 1

    def _findings(self, items: list[Item]) -> None:
        for item in items:
            self.tally.severities.append(item.severity)
            self.failed = self.failed or item.severity >= self.fail_on
            if self.found.format == "json":
                from grpolint.report.json import check_finding

                self.document["findings"].append(check_finding(item))
            elif self.found.diff:
                self.edited.append(item)
            elif not self.found.quiet or item.severity is Severity.ERROR:
                from grpolint.report.text import finding

                self._print(finding(item, self.paint, self.limit, self.found.verbose))

    def _problems(self, reading: Reading) -> None:
        for what in reading.problems:
            if self.found.format == "json":
                from grpolint.report.json import problem as as_json

                self.document["errors"].append(as_json(what, reading.source.path))
            elif not (self.found.quiet or self.found.diff):
                from grpolint.report.text import problem

                self._print(problem(what, reading.source.path, self.paint, self.limit))

    def _undecided(self, report: Report) -> None:
        if not any(result.outcome is Outcome.UNDECIDED for _, result in report.results):
            return
        from grpolint.report.undecided import missing, undecided

        values = missing(report)
        self.tally.undecided += len({rule for value in values for rule in value.rules})
        if values and not self.tally.example:
            from grpolint.report.unknown import supply

            self.tally.example = next(filter(None, (supply(each.ref, each.reason) for each in values)), "")
        path = report.reading.source.path
        if self.found.format == "json":
            from grpolint.report.json import undecided as as_json

            for value in values:
                self.document["undecided"].extend(as_json(path, value))
        elif values and self.found.verbose and not self.found.diff:
            self._print(undecided(path, values, self.paint))

    def _unrecognised(self, reading: Reading) -> None:
        starts = {(launch.path, launch.line, launch.program): launch for launch in reading.unrecognised}
        if self.found.format == "json":
            from grpolint.report.json import unrecognised

            self.document["unrecognised"].extend(unrecognised(launch) for launch in starts.values())
        elif starts and self.found.verbose and not self.found.diff:
            from grpolint.report.terminal import visible

            lines = [f"  {visible(path)}:{line} starts {visible(program)}" for path, line, program in starts]
            self._print("\n".join([f"{self.paint('unrecognised', 'bold')}:", *lines]))

    def _not_recognised(self, each: Input, reading: Reading) -> None:
        self.tally.skipped += 1
        self._unrecognised(reading)
        if not each.named:
            return
        self._problems(reading)
        if reading.problems and not reading.unrecognised:
            self.tally.unreadable += 1
        elif self.found.format == "text" and not self.found.quiet:
            from grpolint.report.terminal import visible

            programs = ", ".join(dict.fromkeys(visible(launch.program) for launch in reading.unrecognised))
            why = (
                f"it starts {programs}, which grpolint does not know"
                if programs
                else "nothing in it starts or configures a training known here"
            )
            self.progress.clear()
            print(f"grpolint: {visible(reading.source.path)} is not checked: {why}", file=sys.stderr)

    def _unreadable(self, message: str, path: str) -> None:
        self.tally.unreadable += 1
        if self.found.format == "json":
            self.document["errors"].append({"file": path, "message": message})
        else:
            from grpolint.report.terminal import visible

            self.progress.clear()
            print(f"grpolint: {visible(message)}", file=sys.stderr)

    def _end(self) -> None:
        if self.found.format == "json":
            from grpolint.report.json import dump

            self.document["runs"] = self.tally.runs
            self.document["assumed"] = self.tally.assumed
            print(dump(self.document))
            return
        if self.found.diff:
            from grpolint.report.diff import diff

            raw = not sys.stdout.isatty()
            if raw and isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(errors="surrogateescape")
            sys.stdout.write(diff(self.edited, self.paint, raw))
        if not self.found.quiet:
            from grpolint.report.summary import summary

            text = summary(self.tally, self.paint, self.found.verbose)
            if self.found.diff:
                print(text, file=sys.stderr)
            else:
                self._print(text)


def _items(report: Report) -> list[Item]:
    """The findings of one file as they are printed. A clean file costs no import."""
    if not any(result.findings for _, result in report.results) and "grpolint:" not in report.reading.source.text:
        return []
    from grpolint.report.collect import collect

    return collect(report)


def _level(name: str | None) -> int:
    """The least severity that counts; above all of them for `never`."""
    if name == "never":
        return max(Severity) + 1
    return Severity[(name or "warning").upper()]


def _patterns(texts: list[str] | tuple[str, ...], option: str) -> tuple[str, ...]:
    """Ids, names and families, separated by commas. Raises UsageError for one that names no rule."""
    out = []
    for word in (word.strip() for text in texts for word in text.split(",")):
        if not word:
            continue
        entry = find_entry(word)
        pattern = entry.id if entry is not None else word.upper()
        if entry is None and pattern not in ("ALL", CRASH) and not any(each.matches(pattern) for each in entries()):
            from grpolint.suggest import suggestion

            near = suggestion(word, [name for each in entries() for name in (each.name, each.id)])
            raise UsageError(f"{option}: no rule is called {word!r}{near}")
        out.append(pattern)
    return tuple(out)


def _ignored_here(path: str, settings: FileSettings) -> tuple[str, ...]:
    """What `per-file-ignores` says for a file."""
    if not settings.per_file_ignores or path == "-":
        return ()
    import os

    from pathspec import GitIgnoreSpec

    relative = os.path.relpath(path, settings.folder)
    found: list[str] = []
    for pattern, rules in settings.per_file_ignores.items():
        if GitIgnoreSpec.from_lines([pattern]).match_file(relative):
            found.extend(rules)
    return tuple(found)
