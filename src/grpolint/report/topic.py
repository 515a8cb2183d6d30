"""The report of a check through a topic: the topic's facts of each run before the findings, the outcomes after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grpolint.check import Report, entries
from grpolint.findings import Outcome, Result
from grpolint.report.json import JsonReporter, value_row
from grpolint.report.reporter import Style
from grpolint.report.show import table
from grpolint.report.summary import Tally
from grpolint.report.terminal import Paint, visible
from grpolint.report.text import TextReporter
from grpolint.run import Run

if TYPE_CHECKING:
    from grpolint.report.collect import Item
    from grpolint.topics.base import Topic

__all__ = ["TopicJson", "TopicText"]

_ROLES = {
    Outcome.PASS: "good",
    Outcome.FAIL: "error",
    Outcome.WARN: "warning",
    Outcome.UNDECIDED: "warning",
    Outcome.NOT_APPLICABLE: "dim",
}


class TopicText(TextReporter):
    """The format for people."""

    def __init__(self, style: Style, topic: Topic, card: str | None = None) -> None:
        super().__init__(style)
        self.topic = topic
        self.card = card

    def checked(self, report: Report, items: list[Item]) -> None:
        """The facts of each run, the findings, and what each rule of the topic came to."""
        if self.style.quiet:
            super().checked(report, items)
            return
        for run in report.reading.runs:
            self._print(_facts(run, self.topic, self.style.paint))
        super().checked(report, items)
        lines = _outcomes(report, self.style.paint)
        if lines:
            self._print("\n".join(lines))

    def end(self, tally: Tally) -> None:
        """For a card, what is known of the handbook's rules and of the subject there; then the summary."""
        if self.card is not None and not self.style.quiet:
            self._print(_known(self.topic, self.card, self.style.paint))
        super().end(tally)


def _known(topic: Topic, card: str, paint: Paint) -> str:
    """The handbook's rules of the topic with what was found out about each, and what holds on an accelerator."""
    from textwrap import fill

    from grpolint.evidence import stated
    from grpolint.hardware import find_gpu

    lines = [paint("what the handbook says, and what is known", "bold")]
    for each in stated():
        if each.id in topic.handbook:
            lines += [f"  {each.id}  {each.text}: {paint(each.grade, _GRADES.get(each.grade, 'warning'))}"]
            lines += [fill(each.corrected, 110, initial_indent=" " * 7, subsequent_indent=" " * 7)]
    gpu = find_gpu(card)
    if gpu is not None:
        lines += [paint(f"on {gpu.name}", "bold")]
        lines += [fill(text, 110, initial_indent="  ", subsequent_indent="    ") for text in topic.card(gpu)]
    return "\n".join(lines)


_GRADES = {"confirmed": "good", "partly": "warning", "contradicted": "error"}


def _facts(run: Run, topic: Topic, paint: Paint) -> str:
    """One run: where it stands, its releases, the facts that exist, and the names of those that nothing tells."""
    line = f":{run.span.line}" if run.span is not None else ""
    releases = ", ".join(
        f"{name} {settings.version.text}{' (assumed)' if settings.version.assumed else ''}"
        for name, settings in run.settings.items()
    )
    lines = [f"{paint(visible(run.source.path) + line, 'bold')}  {visible(run.program)}"]
    lines += [f"releases: {visible(releases)}"] if releases else []
    values = [(name, run.fact(name), f"fact:{name}") for name in topic.facts]
    lines += table([row for row in values if row[1] is not None], paint)
    untold = [name for name, value, _ in values if value is None]
    lines += [f"  nothing tells {', '.join(untold)}"] if untold else []
    return "\n".join(lines)


def _outcomes(report: Report, paint: Paint) -> list[str]:
    """A line for each rule that was asked: the worst that it came to in the runs of a file, and why."""
    worst: dict[str, Result] = {}
    order = [Outcome.FAIL, Outcome.WARN, Outcome.UNDECIDED, Outcome.PASS, Outcome.NOT_APPLICABLE]
    for _, result in report.results:
        seen = worst.get(result.rule)
        if seen is None or order.index(result.outcome) < order.index(seen.outcome):
            worst[result.rule] = result
    names = {entry.id: entry.name for entry in entries()}
    width = max((len(rule) for rule in worst), default=0)
    lines = []
    for rule, result in sorted(worst.items()):
        word = paint(f"{result.outcome.value:<14}", _ROLES[result.outcome])
        missing = f"needs {', '.join(result.missing)}" if result.missing else ""
        lines.append(f"{rule:<{width}}  {word}  {_why(names.get(rule, ''), result.reason or missing)}".rstrip())
    return lines


def _why(name: str, reason: str) -> str:
    return f"{name}: {visible(reason)}" if reason else name


class TopicJson(JsonReporter):
    """`grpolint.check/1` with the member `topic`: its name, the facts of each run, the outcome of each rule."""

    def __init__(self, style: Style, topic: Topic, card: str | None = None) -> None:
        super().__init__(style)
        self.topic = topic
        self.card = card
        self._runs: list[dict[str, Any]] = []

    def checked(self, report: Report, items: list[Item]) -> None:
        """Remember the facts and outcomes too."""
        super().checked(report, items)
        for run in report.reading.runs:
            facts = {name: run.fact(name) for name in self.topic.facts}
            results = [result for of, result in report.results if of is run]
            self._runs.append(
                {
                    "file": run.source.path,
                    "line": run.span.line if run.span is not None else None,
                    "facts": {name: value_row(value) for name, value in facts.items() if value is not None},
                    "untold": [name for name, value in facts.items() if value is None],
                    "outcomes": [
                        {
                            "rule": result.rule,
                            "outcome": result.outcome.value,
                            "missing": list(result.missing),
                            "reason": result.reason or None,
                        }
                        for result in results
                    ],
                }
            )

    def document(self, tally: Tally) -> dict[str, Any]:
        """The document with what the topic adds."""
        return {**super().document(tally), "topic": {"name": self.topic.name, "runs": self._runs}}
