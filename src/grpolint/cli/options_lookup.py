"""`grpolint options`: look an option of a framework up, offline."""

from __future__ import annotations

import sys

from grpolint import catalog
from grpolint.catalog import lookup
from grpolint.cli.main import OK, USAGE
from grpolint.cli.options import Parser
from grpolint.cli.output import paint_for
from grpolint.suggest import suggestion

__all__ = ["main"]

_IN_FULL = 6
"""Up to so many options are shown with all that is known of them."""


def main(words: list[str]) -> int:
    """Print the options that the words name; the result is the exit code."""
    parser = Parser(
        "grpolint options",
        "Look options of a framework up: type, default, choices, and what changed from release to release.",
        "grpolint options [FRAMEWORK[==VERSION] [NAME|GLOB]] [--table TABLE] [--full] [--format text|json]",
    )
    parser.add_argument(
        "framework", nargs="?", metavar="FRAMEWORK", help="such as verl or verl==0.9.1; default: list them"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="an option, the end of its name, or a pattern with * ?")
    parser.add_argument("--table", metavar="TABLE", help="only the options of one program or class")
    parser.add_argument("--full", action="store_true", help="all that is known, for any number of options")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    found = parser.read(words)
    if found.framework is None:
        for each in catalog.frameworks():
            known = catalog.versions(each)
            print(f"{each:<14} {len(known):>3} releases, {known[0]} to {known[-1]}")
        return OK
    name, equals, wanted = found.framework.partition("==")
    name = name.strip().lower()
    if not catalog.versions(name):
        known = catalog.frameworks()
        parser.error(f"unknown framework {name!r}{suggestion(name, known) or '; known are ' + ', '.join(known)}")
    if equals and not wanted:
        parser.error(f"{found.framework!r} names no version")
    if found.table is not None and found.table not in catalog.tables(name):
        known = catalog.tables(name)
        parser.error(
            f"{name} has no table {found.table!r}{suggestion(found.table, known) or '; it has ' + ', '.join(known)}"
        )
    version = lookup.release(name, wanted or None)
    if wanted and version != wanted:
        print(f"grpolint: the catalog does not have {name} {wanted}; {version} answers for it", file=sys.stderr)
    entries = lookup.find(name, version, found.name or "*", found.table)
    if not entries:
        near = lookup.near(name, version, found.name or "")
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        print(f"grpolint: {name} {version} has no option {found.name!r}{hint}", file=sys.stderr)
    _print(entries, name, version, found.format, found.color, full=found.full)
    return OK if entries else USAGE


def _print(entries: list[lookup.Entry], name: str, version: str, form: str, color: str, *, full: bool) -> None:
    from grpolint.report.options import block, line, row

    if form == "json":
        from grpolint.report.json import dump

        rows = [row(entry) for entry in entries]
        print(dump({"schema": "grpolint.options/1", "framework": name, "version": version, "options": rows}))
        return
    paint = paint_for(color)
    if full or len(entries) <= _IN_FULL:
        if entries:
            print("\n\n".join(block(entry, paint) for entry in entries))
        return
    wide = min(max(len(entry.key) for entry in entries), 72)
    room = min(max(len(str(entry.record.get("type", "any"))) + 8 for entry in entries), 20)
    for tables in dict.fromkeys(entry.tables for entry in entries):
        print(paint(f"{name} {version}, {', '.join(tables)}", "bold"))
        for entry in entries:
            if entry.tables == tables:
                print("  " + line(entry, wide, room, paint))
    print(paint("--full shows what changed in each release; so does a single name, or --table TABLE", "dim"))
