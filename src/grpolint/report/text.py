"""The format for people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from grpolint.check import Report
from grpolint.findings import Outcome, Severity
from grpolint.reader import Reading
from grpolint.report.reporter import Reporter, Style
from grpolint.report.summary import Tally, summary
from grpolint.report.terminal import visible

if TYPE_CHECKING:
    from grpolint.report.collect import Item

__all__ = ["TextReporter"]


class TextReporter(Reporter):
    """Findings with excerpts as they come, a summary at the end. What is no finding goes to standard error.

    A clean file costs no import of what draws findings.
    """

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._printed = False

    def checked(self, report: Report, items: list[Item]) -> None:
        """Print problems and findings; under -v also what is undecided or unrecognised."""
        style = self.style
        self._problems(report.reading)
        for item in items:
            if not style.quiet or item.severity is Severity.ERROR:
                from grpolint.report.block import finding

                self._print(finding(item, style.paint, style.limit, style.verbose))
        if style.verbose and any(result.outcome is Outcome.UNDECIDED for _, result in report.results):
            from grpolint.report.undecided import missing, undecided

            self._print(undecided(report.reading.source.path, missing(report), style.paint))
        self._unrecognised(report.reading)

    def passed_over(self, reading: Reading, named: bool) -> None:
        """Say so if the user named the file."""
        self._unrecognised(reading)
        if not named:
            return
        self._problems(reading)
        if not self.style.quiet and (reading.unrecognised or not reading.problems):
            programs = ", ".join(dict.fromkeys(launch.program for launch in reading.unrecognised))
            why = "nothing in it starts or configures a training known here"
            if programs:
                why = f"it starts {programs}, which grpolint does not know"
            self._tell(f"{reading.source.path} is not checked: {why}")

    def unreadable(self, path: str, message: str) -> None:
        """Say why."""
        self._tell(message)

    def end(self, tally: Tally) -> None:
        """Print the summary."""
        if not self.style.quiet:
            self._print(summary(tally, self.style.paint, self.style.verbose))

    def _problems(self, reading: Reading) -> None:
        if reading.problems and not self.style.quiet:
            from grpolint.report.block import problem

            for what in reading.problems:
                self._print(problem(what, reading.source.path, self.style.paint, self.style.limit))

    def _unrecognised(self, reading: Reading) -> None:
        if reading.unrecognised and self.style.verbose:
            starts = dict.fromkeys((launch.path, launch.line, launch.program) for launch in reading.unrecognised)
            lines = [f"  {visible(path)}:{line} starts {visible(program)}" for path, line, program in starts]
            self._print("\n".join([f"{self.style.paint('unrecognised', 'bold')}:", *lines]))

    def _print(self, block: str) -> None:
        self.style.before()
        sys.stdout.write(f"{chr(10) if self._printed else ''}{block}\n")
        self._printed = True

    def _tell(self, message: str) -> None:
        self.style.before()
        sys.stderr.write(f"grpolint: {visible(message)}\n")
