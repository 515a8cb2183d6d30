"""The interface of a format: what it is told, file by file, while a check runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from grpolint.check import Report
from grpolint.reader import Reading
from grpolint.records import Record
from grpolint.report.summary import Tally
from grpolint.report.terminal import Paint

if TYPE_CHECKING:
    from grpolint.report.collect import Item

__all__ = ["Reporter", "Style"]


class Style(Record):
    """How to print: colours, columns of an excerpt, how much, and what to do before anything is printed."""

    paint: Paint
    limit: int
    quiet: bool
    verbose: bool
    before: Callable[[], None]


class Reporter(ABC):
    """Prints the results of a check in one format, to standard output."""

    def __init__(self, style: Style) -> None:
        self.style = style

    @abstractmethod
    def checked(self, report: Report, items: list[Item]) -> None:
        """A file with runs or findings; `items` are the findings that no earlier file has shown."""

    @abstractmethod
    def passed_over(self, reading: Reading, named: bool) -> None:
        """A file that starts or configures nothing known; `named` if the user asked for it."""

    @abstractmethod
    def unreadable(self, path: str, message: str) -> None:
        """A file that could not be read at all."""

    @abstractmethod
    def end(self, tally: Tally) -> None:
        """All files are done."""
