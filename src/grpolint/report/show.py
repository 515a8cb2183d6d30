"""Settings, facts and launches as text, each value with its origin."""

from __future__ import annotations

from fnmatch import fnmatchcase

from grpolint.facts import FACTS
from grpolint.launch import Launch, Word
from grpolint.report.terminal import Paint, visible
from grpolint.report.unknown import supply, why
from grpolint.rules.api import show
from grpolint.run import Run, Setting, Settings
from grpolint.values import VARIABLES, Default, Origin, Unknown, Value

__all__ = ["facts", "launch_text", "origin_text", "rows", "run_text", "table"]

Row = tuple[str, str, "Value | None", "Setting | None"]
"""Framework, key, effective value, and the setting if a document makes it."""

WIDEST = 60
"""Columns up to which keys are aligned."""


def rows(run: Run, pattern: str | None, changed: bool) -> list[Row]:
    """The settings of a run in the order of its frameworks, what documents set before the defaults, then by key.

    `pattern` is a key or a glob, with or without `framework:` before it. `changed` leaves out what is a default.
    """
    framework, colon, rest = (pattern or "").partition(":")
    only, key = (framework, rest) if colon and framework in run.settings else ("", pattern or "")
    found: list[Row] = []
    for name, settings in run.settings.items():
        if only and name != only:
            continue
        if key and not any(char in key for char in "*?["):
            value = settings.value(key)
            if value is not None and not (changed and settings.get(key) is None):
                found.append((name, key, value, settings.get(key)))
            continue
        for setting in sorted(settings, key=lambda each: each.key):
            if key and not fnmatchcase(setting.key, key):
                continue
            if not (changed and isinstance(setting.value, Default)):
                found.append((name, setting.key, setting.value, setting))
        if not changed and settings.open_reason is None:
            found.extend(_defaults(settings, key))
    return found


def _defaults(settings: Settings, pattern: str) -> list[Row]:
    """The options that no document sets, with the values they have."""
    found: list[Row] = []
    for key in sorted(settings.keys()):
        if settings.get(key) is None and (not pattern or fnmatchcase(key, pattern)):
            value = settings.value(key)
            if value is not None:
                found.append((settings.framework, key, value, None))
    return found


def facts(run: Run) -> dict[str, Value]:
    """The facts that exist for a run."""
    found = {name: run.fact(name) for name in FACTS}
    return {name: value for name, value in found.items() if value is not None}


def run_text(run: Run, listed: list[Row], known: dict[str, Value], paint: Paint, brief: bool) -> str:
    """One run: head, settings by framework, environment, facts. `brief` leaves out all but the settings."""
    line = f":{run.span.line}" if run.span is not None else ""
    lines = [f"{paint(visible(run.source.path) + line, 'bold')}  {visible(run.program)}"]
    if not brief:
        versions = ", ".join(
            f"{name} {settings.version.text}{' (assumed)' if settings.version.assumed else ''}"
            for name, settings in run.settings.items()
        )
        lines.append(f"releases: {visible(versions)}")
        for name, settings in run.settings.items():
            if settings.open_reason is not None:
                told = f"{name}: what no document here sets is not known, because {why(settings.open_reason)}"
                lines.append(paint(visible(told), "warning"))
    lines += _sections(run, [row for row in listed if row[3] is not None], "", paint)
    if not brief:
        environment: list[tuple[str, Value | None, str]] = [
            (name, run.environment(name), f"env:{name}") for name in run.env
        ]
        if environment:
            lines += ["", paint("environment", "bold"), *table(environment, paint)]
        if known:
            lines += ["", paint("facts", "bold")]
            lines += table([(name, value, f"fact:{name}") for name, value in known.items()], paint)
    lines += _sections(run, [row for row in listed if row[3] is None], "" if brief else "defaults of ", paint)
    return "\n".join(lines)


def _sections(run: Run, listed: list[Row], before: str, paint: Paint) -> list[str]:
    """Settings under the names of their frameworks."""
    lines: list[str] = []
    for name, settings in run.settings.items():
        mine = [row for row in listed if row[0] == name]
        if mine:
            head = f"{before}{name} {settings.version.text}" if before else name
            lines += ["", paint(visible(head), "bold")]
            lines += table([(key, value, f"{name}:{key}") for _, key, value, _ in mine], paint)
    return lines


def table(items: list[tuple[str, Value | None, str]], paint: Paint) -> list[str]:
    """Lines of names with their values and origins; each item is a name, a value, and the reference that supplies it."""
    keys = [visible(key) for key, _, _ in items]
    values = [_value_text(value) for _, value, _ in items]
    wide = min(max(map(len, keys), default=0), WIDEST)
    room = min(max(map(len, values), default=0), 32)
    lines = []
    for key, text, (_, value, ref) in zip(keys, values, items, strict=True):
        role = "warning" if isinstance(value, Unknown) else "dim" if isinstance(value, Default) else "good"
        where = _where(value, ref)
        lines.append(f"  {key:<{wide}}  {paint(f'{text:<{room}}', role)}  {where}".rstrip())
    return lines


def _value_text(value: Value | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, Unknown):
        some = f" (one of {', '.join(map(show, value.alternatives))})" if value.alternatives else ""
        return ("computed" if value.reason.startswith("computed:") else "unknown") + visible(some)
    return visible(show(value.value))


def _where(value: Value | None, ref: str) -> str:
    if value is None:
        return ""
    if isinstance(value, Unknown):
        option = supply(ref, value.reason)
        told = visible(why(value.reason)) + (f"; give {option}" if option else "")
        at = origin_text(value.origins)
        return f"{told}  {at}" if at else told
    if isinstance(value, Default):
        return f"default of {value.framework} {value.version}"
    return origin_text(value.origins)


def origin_text(origins: tuple[Origin, ...]) -> str:
    """Where a value comes from: `run.sh:31, via N line 5`. A file is named where it differs from the one before."""
    told: dict[str, None] = {}
    places: set[tuple[str, int]] = set()
    file = ""
    for origin in origins:
        if origin.span is None:
            text = f"default of {origin.detail}" if origin.what == "default" else f"{origin.what} {origin.detail}"
            told[visible(text.strip())] = None
            continue
        path, line = origin.span.outer().source.path, origin.span.line
        if (path, line) in places:
            continue
        places.add((path, line))
        name = f"via {origin.detail} " if origin.what in VARIABLES and origin.detail else ""
        place = f"line {line}" if path == file else f"{path}:{line}"
        file = path
        told[visible(name + place)] = None
    return ", ".join(told)


def launch_text(launch: Launch, paint: Paint) -> str:
    """One launch as the shell reading found it."""
    head = paint(f"{visible(launch.path)}:{launch.line}", "bold") + f"  {visible(launch.program)}"
    if launch.wrappers:
        head += f"  (under {visible(', '.join(launch.wrappers))})"
    if launch.condition is not None:
        head += f"  if {visible(launch.condition)}"
    lines = [head]
    lines += [f"  {_line(word, launch.line):>5}  {_word(word, paint)}" for word in launch.argv]
    if launch.env:
        lines.append("  environment")
        lines += [
            f"  {_line(word, launch.line):>5}  {visible(name)}={_word(word, paint)}"
            for name, word in launch.env.items()
        ]
    return "\n".join(lines)


def _line(word: Word, default: int) -> int:
    return word.span.line if word.span is not None else default


def _word(word: Word, paint: Paint) -> str:
    return "".join(
        visible(part.text) if part.text is not None else paint(f"<{visible(part.unknown or '')}>", "warning")
        for part in word.parts
    )
