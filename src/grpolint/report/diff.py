"""The edits of mechanical remedies as a unified diff."""

from __future__ import annotations

from grpolint.documents.source import Source
from grpolint.fixes import Edit, apply
from grpolint.reparse import reads_as_well
from grpolint.report.collect import Item
from grpolint.report.terminal import Paint, visible

__all__ = ["diff"]


def diff(items: list[Item], paint: Paint, raw: bool) -> str:
    """One diff a file, with the rules it comes from above it; `patch -p0` and `git apply -p0` take it.

    Edits that overlap earlier ones, and edits after which the file would read differently in more than the intended
    settings, are left out. `raw` keeps characters that would command a terminal: for a file or a pipe.
    """
    files: dict[str, list[Item]] = {}
    for item in items:
        if item.edits and len({edit.source.path for edit in item.edits}) == 1:
            files.setdefault(item.edits[0].source.path, []).append(item)
    return "".join(_one(of_file, paint, raw) for of_file in files.values())


def _one(items: list[Item], paint: Paint, raw: bool) -> str:
    source = items[0].edits[0].source
    text = source.text
    wanted: list[Edit] = []
    said = []
    for item in items:
        then, made = apply(source, [*wanted, *item.edits])
        if any(edit not in made for edit in item.edits):
            continue
        if then != text and not reads_as_well(
            Source(source.path, text), Source(source.path, then), item.finding.changes
        ):
            continue
        text, wanted = then, made
        kind = "safe" if all(edit.safe for edit in item.edits) else "unsafe: changes training"
        said.append(f"# {item.entry.id} {item.entry.name} ({kind}): {visible(item.help)}")
    if text == source.text:
        return ""
    head = "".join(paint(line, "dim") + "\n" for line in said)
    return head + _unified(source.path, source.text, text, paint, raw)


def _unified(path: str, before: str, after: str, paint: Paint, raw: bool) -> str:
    import difflib

    out = []
    roles = {"+": "added", "-": "removed", "@": "gutter"}
    for line in difflib.unified_diff(_lines(before), _lines(after), path, path):
        body = line.removesuffix("\n")
        shown = body if raw else "".join(char if char == "\t" else visible(char) for char in body)
        out.append(paint(shown, roles.get(line[:1], "")) + "\n")
        if not line.endswith("\n"):
            out.append("\\ No newline at end of file\n")
    return "".join(out)


def _lines(text: str) -> list[str]:
    """Lines with their ends, cut at line feeds only, as `patch` does."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
