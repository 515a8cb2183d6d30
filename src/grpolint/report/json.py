"""The forms that machines read: `grpolint.check/1`, `grpolint.settings/1`, `grpolint.argv/1`.

They are a promise: fields are only ever added. Lines and columns count from 1, offsets of edits are characters of the
file read as UTF-8; `end_column` and `end` lie behind the last character. A byte that is not UTF-8 is shown as U+FFFD.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from grpolint.check import Report
from grpolint.documents.source import Problem, Source, Span
from grpolint.reader import Reading
from grpolint.report.reporter import Reporter, Style
from grpolint.report.summary import Tally

if TYPE_CHECKING:
    from grpolint.launch import Launch, Word
    from grpolint.report.collect import Item
    from grpolint.report.undecided import Missing
    from grpolint.run import Run, Setting
    from grpolint.values import Origin, Value

__all__ = ["JsonReporter", "argv_launch", "dump", "problem", "settings_run", "value_row"]


def dump(document: dict[str, Any]) -> str:
    """A document as JSON text that every parser accepts: no lone surrogates, no NaN, nothing but plain types."""
    return json.dumps(_plain(document), indent=1, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, dict):
        return {_plain(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(each) for each in value]
    return _plain(str(value))


# grpolint.check/1


class JsonReporter(Reporter):
    """Collects everything and prints one document at the end."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._files: list[str] = []
        self._findings: list[dict[str, Any]] = []
        self._undecided: list[dict[str, Any]] = []
        self._unrecognised: list[dict[str, Any]] = []
        self._errors: list[dict[str, Any]] = []

    def checked(self, report: Report, items: list[Item]) -> None:
        """Remember the file, its findings, what is undecided and what could not be read."""
        from grpolint.report.undecided import missing

        reading = report.reading
        self._files.append(reading.source.path)
        self._findings.extend(map(_finding, items))
        for value in missing(report):
            self._undecided.extend(_undecided(reading.source.path, value))
        self._beside(reading, problems=True)

    def passed_over(self, reading: Reading, named: bool) -> None:
        """Remember what it starts."""
        self._beside(reading, problems=named)

    def unreadable(self, path: str, message: str) -> None:
        """Remember why."""
        self._errors.append({"file": path, "message": message})

    def end(self, tally: Tally) -> None:
        """Print the document."""
        sys.stdout.write(dump(self.document(tally)) + "\n")

    def document(self, tally: Tally) -> dict[str, Any]:
        """Everything that was remembered."""
        return {
            "schema": "grpolint.check/1",
            "files": self._files,
            "findings": self._findings,
            "undecided": self._undecided,
            "unrecognised": self._unrecognised,
            "errors": self._errors,
            "runs": tally.runs,
            "assumed": tally.assumed,
        }

    def _beside(self, reading: Reading, problems: bool) -> None:
        starts = {(launch.path, launch.line, launch.program) for launch in reading.unrecognised}
        self._unrecognised.extend(
            {"file": path, "line": line, "program": program} for path, line, program in sorted(starts)
        )
        if problems:
            self._errors.extend(problem(what, reading.source.path) for what in reading.problems)


def _finding(item: Item) -> dict[str, Any]:
    """One finding."""
    from grpolint.check import load
    from grpolint.report.excerpt import place

    primary = item.finding.primary
    evidence = load(item.entry).evidence if item.entry.module else ()
    return {
        "rule": item.entry.id,
        "name": item.entry.name,
        "severity": item.severity.name.lower(),
        "confidence": item.entry.confidence.name.lower(),
        "message": item.finding.message,
        "spans": [
            {**_span(place(label.span)), "label": label.text, "primary": label is primary} for label in item.labels
        ],
        "help": item.help or None,
        "notes": list(item.finding.notes),
        "edits": [
            {
                **_span(Span(edit.source, edit.start, edit.end)),
                "start": edit.start,
                "end": edit.end,
                "replacement": edit.replacement,
                "safe": edit.safe,
            }
            for edit in item.edits
        ],
        "evidence": [{"ref": each.ref, "url": each.url, "says": each.says, "grade": each.grade} for each in evidence],
    }


def _undecided(path: str, value: Missing) -> list[dict[str, Any]]:
    """The rules that one unknown value kept from deciding."""
    from grpolint.report.unknown import supply

    option = supply(value.ref, value.reason)
    what = {"ref": value.ref, "reason": value.reason, "supply": option or None}
    return [{"rule": rule, "file": path, "missing": [what]} for rule in value.rules]


def problem(what: Problem, path: str) -> dict[str, Any]:
    """Something that could not be read."""
    place = _span(what.span.outer()) if what.span is not None else {"file": what.path or path}
    return {**place, "message": what.message}


def _span(span: Span) -> dict[str, Any]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(max(span.end, span.start))
    return {
        "file": span.source.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


# grpolint.argv/1


def argv_launch(launch: Launch) -> dict[str, Any]:
    """What the shell reading found of one launch."""
    return {
        "file": launch.path,
        "line": launch.line,
        "program": launch.program,
        "wrappers": list(launch.wrappers),
        "condition": launch.condition,
        "argv": [_word(word, launch.line) for word in launch.argv],
        "env": {name: _parts(word) for name, word in launch.env.items()},
        "cwd": _parts(launch.cwd) if launch.cwd is not None else None,
        "wrapper_argv": [[_word(word, launch.line) for word in words] for words in launch.wrapper_argv],
        "open_ended": launch.open_ended,
    }


def _word(word: Word, line: int) -> dict[str, Any]:
    found: dict[str, Any] = {"line": word.span.line if word.span is not None else line, "parts": _parts(word)}
    if word.condition is not None:
        found["condition"] = word.condition
    return found


def _parts(word: Word) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for part in word.parts:
        if part.text is None:
            unknown: dict[str, Any] = {"unknown": part.unknown}
            if part.alternatives:
                unknown["alternatives"] = list(part.alternatives)
            parts.append(unknown)
        elif parts and "text" in parts[-1]:
            parts[-1]["text"] += part.text
        else:
            parts.append({"text": part.text})
    return parts or [{"text": ""}]


# grpolint.settings/1


def settings_run(
    run: Run, rows: list[tuple[str, str, Value | None, Setting | None]], facts: dict[str, Value]
) -> dict[str, Any]:
    """One run: `rows` are framework, key, value and setting of what is to be shown."""
    return {
        "file": run.source.path,
        "line": run.span.line if run.span is not None else None,
        "program": run.program,
        "trainer": run.trainer,
        "versions": {name: each.version.text for name, each in run.settings.items()},
        "assumed": [name for name, each in run.settings.items() if each.version.assumed],
        "settings": [{"framework": framework, "key": key, **value_row(value)} for framework, key, value, _ in rows],
        "environment": {name: _parts(word) for name, word in run.env.items()},
        "facts": {name: value_row(value) for name, value in facts.items()},
    }


def value_row(value: Value | None) -> dict[str, Any]:
    """A value with its state and its origins."""
    from grpolint.values import Default, Known, Unknown

    if value is None:
        return {"value": None, "state": "unknown", "reason": "no such option", "origin": []}
    found: dict[str, Any] = {
        "value": value.value if isinstance(value, (Known, Default)) else None,
        "state": "default" if isinstance(value, Default) else "unknown" if isinstance(value, Unknown) else "known",
        "reason": value.reason if isinstance(value, Unknown) else None,
        "origin": [_origin(origin) for origin in value.origins],
    }
    if isinstance(value, Unknown) and value.alternatives:
        found["alternatives"] = list(value.alternatives)
    return found


def _origin(origin: Origin) -> dict[str, Any]:
    outer = origin.span.outer() if origin.span is not None else None
    source: Source | None = outer.source if outer is not None else None
    return {
        "file": source.path if source is not None else None,
        "line": origin.span.line if origin.span is not None else None,
        "what": origin.what,
        "detail": origin.detail,
    }
