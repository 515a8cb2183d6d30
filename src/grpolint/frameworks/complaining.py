"""What a framework's own parser refuses or ignores, as complaints of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grpolint.catalog import Table
from grpolint.documents.nodes import Document
from grpolint.documents.source import Source, Span
from grpolint.frameworks.flags import Flag, Reading
from grpolint.run import Complaint, Run, Version

__all__ = ["about_flags", "not_strict", "renamed_key", "unknown_key"]


def unknown_key(
    run: Run,
    framework: str,
    key: str,
    *,
    span: Span | None,
    detail: str,
    known: Iterable[str] = (),
    certain: bool = True,
    tables: Iterable[Table] = (),
) -> None:
    """Complain of an option that the release does not have; `known` are the names it could have meant.

    `tables` are where it would be declared: an option that had its place there under another name, or was removed, is told
    as such.
    """
    for table in tables:
        if renamed_key(run, table, key, span=span, detail=detail, certain=certain):
            return
    from difflib import get_close_matches

    near = get_close_matches(key.rpartition(".")[2], [name.rpartition(".")[2] for name in known], 1, 0.8)
    section = key.rpartition(".")[0]
    meant = (f"{section}.{near[0]}" if section else near[0]) if near else None
    run.complaints.append(Complaint("unknown-key", framework, key, span, detail, meant, certain))


def renamed_key(run: Run, table: Table, key: str, *, span: Span | None, detail: str, certain: bool) -> bool:
    """Complain of an option that an earlier release had, with what took its place; False if the catalog knows of none."""
    from grpolint.catalog.history import successor

    found = successor(table.framework, table.name, key, table.version)
    if found is None:
        return False
    now = " and ".join(found.new)
    told = f"it is {now} since {found.version}" if now else f"it was removed in {found.version}"
    one = found.new[0] if len(found.new) == 1 else None
    run.complaints.append(Complaint("renamed-key", table.framework, key, span, f"{detail}: {told}", one, certain))
    return True


def about_flags(
    run: Run,
    reading: Reading,
    tables: Sequence[Table],
    version: Version,
    program: str,
    *,
    free: Iterable[str] = (),
    parser: Source | None = None,
) -> None:
    """Complain of flags that a parser which knows only `tables` rejects, and of options left without their value.

    Nothing is said without tables. `free` are destinations that the parser takes besides. `parser` is the program's own
    source where it stands in the user's tree: a fork has options of its own.
    """
    if not tables:
        return
    allowed = set(free)
    for flag in reading.flags:
        if flag.option is None and parser is not None and _written_in(parser, flag.typed):
            continue
        if flag.option is None and flag.dest.split(".", 1)[0] not in allowed and flag.dest not in allowed:
            unknown_key(
                run,
                tables[0].framework,
                flag.dest,
                span=flag.span,
                detail=f"{program} {version.text} has no option {flag.typed} and refuses to start with it",
                known=(key for table in tables for key in table.keys()),  # noqa: SIM118
                certain=not version.assumed,
                tables=tables,
            )
        elif flag.bare and (not version.assumed or _always_so(flag, tables)):
            _without_value(run, flag, program, version)


def _written_in(parser: Source, typed: str) -> bool:
    name = typed.split("=", 1)[0]
    return f'"{name}"' in parser.text or f"'{name}'" in parser.text


def _always_so(flag: Flag, tables: Sequence[Table]) -> bool:
    """Whether every release that has a table of these declares an option as the one in use does. `--bf16` came to need
    a value when its default became null.
    """
    from grpolint.catalog.history import history
    from grpolint.catalog.loader import raw

    option = flag.option
    if option is None:
        return False
    for table in tables:
        life = history(table.framework, table.name, option.key)
        if life is not None and table.framework == option.framework:
            kinds = {(str(row.get("type")), row.get("nullable"), row.get("nargs")) for *_, row in life.spans}
            began = min(spans[0][0] for spans in raw(table.framework, table.name)[2].values())
            return len(kinds) == 1 and life.spans[0][0] == began
    return False


def _without_value(run: Run, flag: Flag, program: str, version: Version) -> None:
    owner = flag.option.framework if flag.option is not None else ""
    detail = f"{flag.typed} needs a value in {program} {version.text}, and none follows"
    run.complaints.append(Complaint("missing-value", owner, flag.dest, flag.span, detail, None, not version.assumed))


def not_strict(run: Run, framework: str, document: Document, reader: str) -> None:
    """Complain of a JSON file that its reader takes for strict JSON and that is not; silent for strict JSON."""
    for first in document.leniency[:1]:
        detail = f"{reader} reads {document.source.path} as strict JSON and stops at this: {first.message}"
        run.complaints.append(Complaint("bad-config", framework, "", first.span, detail))
