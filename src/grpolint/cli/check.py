"""`grpolint check`: read files and folders, print findings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grpolint.check import CRASH, Report, Selection, check, entries, find_entry
from grpolint.cli.inputs import Input, configured, guarded, inputs, read_input
from grpolint.cli.main import FINDINGS, NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_policy, add_supply, supplied
from grpolint.cli.output import paint_for, width_for
from grpolint.cli.progress import Progress
from grpolint.documents.source import SourceError
from grpolint.findings import Outcome, Severity
from grpolint.reader import read
from grpolint.records import Record, replace
from grpolint.report.reporter import Reporter, Style
from grpolint.report.summary import Tally
from grpolint.settings_file import LEVELS, POLICIES, FileSettings, SettingsError
from grpolint.world import Supplied

if TYPE_CHECKING:
    from grpolint.report.collect import Item
    from grpolint.topics.base import Topic
    from grpolint.values import Known

__all__ = ["View", "main", "patterns"]

NO_RULE = "-"
"""Selects nothing, where an empty selection would stand for all rules."""

EPILOG = """\
exit code: 0 nothing at or above --fail-on, 1 findings, 2 usage or unreadable input, 3 nothing recognised as a launch
settings:  the nearest grpolint.toml, or [tool.grpolint] in pyproject.toml; the command line comes first
"""


class View(Record):
    """A check through a topic: its rules run, its facts are shown.

    `mode` is the word after the topic's name on the command line. With a `gpu` the documents are judged for that card, as
    the handbook trains on it.
    """

    topic: Topic
    mode: str
    gpu: str | None = None

    @property
    def command(self) -> str:
        """The command as it is typed."""
        return f"grpolint {self.topic.name} {self.mode}"

    def profile(self) -> dict[str, Known]:
        """The facts that the card declares."""
        if self.gpu is None:
            return {}
        from grpolint.profiles import profile

        return profile(self.gpu)

    def config(self) -> str:
        """The configuration that is checked where the command line names none: the handbook's own."""
        from grpolint.profiles import OPTIMAL
        from grpolint.report.json import dump

        return dump(OPTIMAL)


def main(words: list[str], view: View | None = None) -> int:
    """Check what the words name, all of it or what a topic looks at; the result is the exit code."""
    parser = _parser(view)
    found = parser.read(words)
    if view is not None:
        found.gpu = found.gpu or view.gpu
        if view.gpu is not None or not (found.paths or found.config):
            if found.gpu is None:
                from grpolint.profiles import HANDBOOK_CARD

                found.gpu = HANDBOOK_CARD
                told = "no file is given, so this is the handbook's own configuration on its card; FILE or --config checks yours"
                print(f"{view.command}: {told}", file=sys.stderr)
            view = replace(view, gpu=found.gpu)
    try:
        return _Check(found, view).run()
    except (UsageError, SettingsError) as error:
        parser.error(str(error))


def _parser(view: View | None) -> Parser:
    command, subject, default = "grpolint check", "", "; default ."
    if view is not None:
        command, subject = view.command, f" Only what concerns {view.topic.title}."
        default = "; default the handbook's configuration"
    parser = Parser(
        command,
        f"Say what will crash, hang, run out of memory or train silently wrong.{subject}",
        f"{command} [OPTION]... [FILE|FOLDER|-]...",
        EPILOG,
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help=f"files, folders, or - for standard input{default}")
    parser.add_argument("--stdin-filename", metavar="PATH", help="what standard input is called")
    parser.add_argument(
        "--config", metavar="JSON|FILE", action="append", default=[], help="a configuration as JSON text, or its file"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    chosen = "only these: ids, names, families" if view is None else "these instead of the topic's"
    parser.add_argument("--select", metavar="RULES", action="append", default=[], help=chosen)
    parser.add_argument("--ignore", metavar="RULES", action="append", default=[], help="not these")
    parser.add_argument("--fail-on", choices=LEVELS, help="least severity that makes exit code 1; default warning")
    parser.add_argument("--diff", action="store_true", help="show the edits of mechanical remedies; writes nothing")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    parser.add_argument("-q", "--quiet", action="store_true", help="only findings of severity error, no summary")
    parser.add_argument("-v", "--verbose", action="store_true", help="also what is undecided, unrecognised, skipped")
    add_policy(parser)
    add_supply(parser)
    return parser


def _reporter(found: argparse.Namespace, style: Style, view: View | None) -> Reporter:
    """The format asked for. Only its module is imported."""
    if view is not None and (found.format == "json" or not found.diff):
        from grpolint.report.topic import TopicJson, TopicText

        kind = TopicJson if found.format == "json" else TopicText
        return kind(style, view.topic, view.gpu)
    if found.format == "json":
        from grpolint.report.json import JsonReporter

        return JsonReporter(style)
    if found.diff:
        from grpolint.report.diff import DiffReporter

        return DiffReporter(style)
    from grpolint.report.text import TextReporter

    return TextReporter(style)


class _Check:
    """One run of the command."""

    def __init__(self, found: argparse.Namespace, view: View | None) -> None:
        self.found = found
        self.view = view
        self.tally = Tally()
        self.failed = False
        self.progress = Progress(found.format == "text" and not found.quiet)
        paint = paint_for(found.color if found.format == "text" else "never")
        style = Style(paint, width_for(), found.quiet, found.verbose, self.progress.clear)
        self.reporter = _reporter(found, style, view)
        self._seen: set[tuple[str, str, str, int]] = set()
        self._supplies: dict[str, Supplied] = {}
        self._selections: dict[tuple[str, tuple[str, ...]], Selection] = {}

    def run(self) -> int:
        """Read, check and print everything."""
        try:
            for each in self._inputs():
                self._one(each)
        finally:
            self.progress.clear()
        self.reporter.end(self.tally)
        if self.tally.unreadable:
            return USAGE
        if self.failed:
            return FINDINGS
        return OK if self.tally.runs or self.tally.severities else NOTHING

    def _inputs(self) -> Iterator[Input]:
        """What is to be read: where a topic is given nothing, the handbook's own configuration."""
        configs, paths = self.found.config, self.found.paths
        if self.view is not None and not (configs or paths):
            configs = [self.view.config()]
        yield from [configured(word) for word in configs]
        yield from inputs(paths or ([] if configs else ["."]), self.found.stdin_filename)

    def _one(self, each: Input) -> None:
        self.tally.read += 1
        self.progress.at(self.tally.read, each.path)
        given = self._supplied(each.settings)
        selection = self._selection(each.path, each.settings)
        try:
            source = read_input(each, self.found.stdin_filename)
            reading = guarded(read, source, given, self.found.verbose)
        except SourceError as error:
            if each.named:
                self.tally.unreadable += 1
                self.reporter.unreadable(each.path, str(error))
            else:
                self.tally.skipped += 1
            return
        report = check(reading, selection)
        items = self._new(_items(report))
        if reading.runs or items:
            self._count(report, items, _level(self.found.fail_on or each.settings.fail_on))
            self.reporter.checked(report, items)
            return
        self.tally.skipped += 1
        self.tally.unknown += len(reading.unrecognised)
        if each.named and reading.problems and not reading.unrecognised:
            self.tally.unreadable += 1
        self.reporter.passed_over(reading, each.named)

    def _count(self, report: Report, items: list[Item], level: int) -> None:
        tally = self.tally
        tally.files += 1
        tally.runs += len(report.reading.runs)
        tally.severities.extend(item.severity for item in items)
        tally.unknown += len(report.reading.unrecognised)
        tally.broken += bool(report.reading.problems)
        broken = bool(report.reading.problems) and level <= Severity.ERROR
        self.failed = self.failed or broken or any(item.severity >= level for item in items)
        for run in report.reading.runs:
            for name, settings in run.settings.items():
                if settings.version.assumed and len(settings):
                    tally.assumed[name] = settings.version.text
                    tally.origins.pop(name, None)
                    origin = settings.version.origin
                    if origin != "newest known" and not origin.startswith("required by "):
                        tally.origins[name] = origin
        tally.undecided += len({result.rule for _, result in report.results if result.outcome is Outcome.UNDECIDED})
        if tally.undecided and not tally.example:
            from grpolint.report.undecided import missing
            from grpolint.report.unknown import supply

            options = (supply(value.ref, value.reason) for value in missing(report))
            tally.example = next(filter(None, options), "")

    def _supplied(self, settings: FileSettings) -> Supplied:
        if settings.path not in self._supplies:
            given = supplied(self.found, settings)
            self._supplies[settings.path] = given if self.view is None else replace(given, profile=self.view.profile())
        return self._supplies[settings.path]

    def _selection(self, path: str, settings: FileSettings) -> Selection:
        also = _ignored_here(path, settings)
        if (settings.path, also) not in self._selections:
            policy = self.found.policy or settings.policy or "evidence"
            select = patterns(self.found.select, "--select", policy)
            if self.view is None:
                select = select or patterns(settings.select, f"{settings.path}: select", policy)
            else:
                from grpolint.topics import rules

                select = select or rules(self.view.topic, policy) or (NO_RULE,)
            ignore = patterns(self.found.ignore, "--ignore", policy)
            ignore += patterns([*settings.ignore, *also], f"{settings.path}: ignore", policy)
            self._selections[settings.path, also] = Selection(select, ignore, policy)
        return self._selections[settings.path, also]

    def _new(self, items: list[Item]) -> list[Item]:
        """The findings that no earlier file has shown: several scripts may read the same configuration."""
        fresh = []
        for item in items:
            if item.span is not None:
                mark = (item.entry.id, item.finding.message, item.span.source.path, item.span.start)
                if mark in self._seen:
                    continue
                self._seen.add(mark)
            fresh.append(item)
        return fresh


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


def patterns(texts: list[str] | tuple[str, ...], option: str, policy: str = "evidence") -> tuple[str, ...]:
    """Ids, names and families of a policy's rules, separated by commas. Raises UsageError for one that names no rule of
    any policy; one that names only another policy's rules selects nothing here.
    """
    out = []
    for word in (word.strip() for text in texts for word in text.split(",")):
        if not word:
            continue
        entry = find_entry(word, policy) or next(filter(None, (find_entry(word, each) for each in POLICIES)), None)
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
