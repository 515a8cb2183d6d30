"""The end of a text report: counts, what stayed undecided, what was assumed."""

from __future__ import annotations

from grpolint.findings import Severity
from grpolint.records import Record, field
from grpolint.report.terminal import Paint, visible

__all__ = ["Tally", "summary"]


class Tally(Record, frozen=False):
    """What a summary counts over all files."""

    severities: list[Severity] = field(default_factory=list)
    files: int = 0
    read: int = 0
    skipped: int = 0
    runs: int = 0
    undecided: int = 0
    unreadable: int = 0
    broken: int = 0
    unknown: int = 0
    example: str = ""
    assumed: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)


def summary(tally: Tally, paint: Paint, verbose: bool) -> str:
    """The last lines: findings by severity, checks that stayed undecided, releases that were assumed."""
    where = f"{_count(tally.runs, 'run')} in {_count(tally.files, 'file')}"
    lines = []
    if tally.runs or tally.severities:
        kinds = [(each, tally.severities.count(each)) for each in sorted(Severity, reverse=True)]
        parts = [
            paint(_count(number, each.name.lower(), "infos" if each is Severity.INFO else ""), each.name.lower())
            for each, number in kinds
            if number
        ]
        lines.append(f"{', '.join(parts) if parts else paint('no findings', 'good')} ({where})")
    elif not tally.read:
        lines.append(paint("no launch files found", "warning"))
    elif tally.read > tally.unreadable:
        read = "" if not tally.read else f" in {_count(tally.read, 'file')} read"
        lines.append(paint(f"no training launch recognised{read}", "warning"))
    if tally.undecided:
        how = f", for example {tally.example}" if tally.example and not verbose else ""
        tell = "" if verbose else "; -v lists them"
        lines.append(f"undecided: {_count(tally.undecided, 'check')} for want of a value{tell}{how}")
    lines.extend(_assumed(tally))
    if tally.unknown:
        tell = "" if verbose else "; -v lists them"
        lines.append(f"not checked: {_count(tally.unknown, 'launch', 'launches')} of programs not known here{tell}")
    if verbose and tally.skipped:
        lines.append(f"skipped: {_count(tally.skipped, 'file')} that start or configure no training known here")
    if tally.unreadable:
        lines.append(paint(f"unreadable: {_count(tally.unreadable, 'file')}", "error"))
    return "\n".join(lines)


def _assumed(tally: Tally) -> list[str]:
    """The line on releases that nobody names: what was taken, and by what where it is not the newest one."""
    known = {name: version for name, version in sorted(tally.assumed.items()) if version != "unknown"}
    if not known:
        return []
    newest = {name: f"{name} {version}" for name, version in known.items() if name not in tally.origins}
    told = [f"{name} {known[name]} ({tally.origins[name]})" for name in known if name not in newest]
    say = f"say --with {next(iter(known))}==..."
    if not told:
        return [f"assumed: {visible(', '.join(newest.values()))} (newest known; {say})"]
    if newest:
        told.append(f"{', '.join(newest.values())} (newest known)")
    return [f"assumed: {visible(', '.join(told))}; {say}"]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
