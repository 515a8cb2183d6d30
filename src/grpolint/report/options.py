"""An option of the catalog as text and as JSON (`grpolint.options/1`)."""

from __future__ import annotations

from typing import Any

from grpolint.catalog.history import Event
from grpolint.catalog.lookup import Entry
from grpolint.report.terminal import Paint, visible
from grpolint.rules.api import show

__all__ = ["block", "default_text", "line", "row"]


def block(entry: Entry, paint: Paint) -> str:
    """All that is known of one option."""
    record = entry.record
    head = f"{paint(visible(entry.key), 'bold')}  {entry.framework} {entry.version}, {', '.join(entry.tables)}"
    lines = [head]
    if entry.option is None:
        lines.append(paint(f"  {_gone(entry)}", "warning"))
    told: list[tuple[str, str]] = [("type", _type_text(record)), ("default", default_text(record))]
    if "choices" in record:
        told.append(("choices", ", ".join(show(each) for each in record["choices"])))
    bounds = _bounds(record)
    if bounds:
        told.append(("bounds", bounds))
    for name, label in (("aliases", "also"), ("flags", "flags")):
        if record.get(name):
            told.append((label, ", ".join(record[name])))
    if record.get("plus"):
        told.append(("written", f"+{entry.key}=..."))
    if record.get("deprecated"):
        instead = record.get("replaced_by")
        told.append(("deprecated", f"use {instead}" if instead else "yes"))
    if entry.option is not None and entry.renamed is not None and entry.renamed.new:
        told.append(("renamed", f"{', '.join(entry.renamed.new)} since {entry.renamed.version}"))
    told.extend(("was", f"{each.old} before {each.version}") for each in entry.before)
    told.extend((event.version, _event_text(event)) for event in entry.events)
    if record.get("source"):
        told.append(("source", record["source"]))
    wide = max(len(label) for label, _ in told)
    lines += [f"  {paint(f'{label:<{wide}}', 'dim')}  {visible(text)}" for label, text in told]
    return "\n".join(lines)


def line(entry: Entry, wide: int, room: int, paint: Paint) -> str:
    """One line: name, type, default."""
    record = entry.record
    kind = _type_text(record)
    note = paint("  deprecated", "warning") if record.get("deprecated") else ""
    return f"{visible(entry.key):<{wide}}  {paint(f'{visible(kind):<{room}}', 'dim')}  {visible(default_text(record))}{note}"


def _type_text(record: dict[str, Any]) -> str:
    kind = str(record.get("type", "any"))
    return f"{kind} or null" if record.get("nullable") and "None" not in kind and kind != "any" else kind


def default_text(record: dict[str, Any]) -> str:
    """The default of a record in words."""
    if "default" in record:
        return show(record["default"])
    if "computed" in record:
        return f"computed: {record['computed']}"
    return "none, must be given" if record.get("required") else "none"


def _bounds(record: dict[str, Any]) -> str:
    without = record.get("exclusive", ())
    low, high = record.get("min"), record.get("max")
    parts = []
    if low is not None:
        parts.append(f"{'above' if 'min' in without else 'at least'} {show(low)}")
    if high is not None:
        parts.append(f"{'below' if 'max' in without else 'at most'} {show(high)}")
    return ", ".join(parts)


def _gone(entry: Entry) -> str:
    life, renamed = entry.life, entry.renamed
    versions = life.versions
    if versions.index(entry.version) < life.spans[0][0]:
        return f"not in {entry.version}: added in {versions[life.spans[0][0]]}"
    lasts = [last for _, last, _ in life.spans if last < versions.index(entry.version)]
    text = f"not in {entry.version}: removed in {versions[lasts[-1] + 1]}"
    if renamed is not None and renamed.new:
        return f"{text}; now {', '.join(renamed.new)}"
    return text + ("; without a successor" if renamed is not None else "")


def _event_text(event: Event) -> str:
    if event.what in ("added", "removed"):
        return event.what
    if event.what == "default":
        return f"default {show(event.before)} -> {show(event.after)}"
    if event.what in ("deprecated", "required", "nullable", "plus") and None in (event.before, event.after):
        return event.what if event.after else f"no longer {event.what}"
    return f"{event.what} {show(event.before)} -> {show(event.after)}"


def row(entry: Entry) -> dict[str, Any]:
    """One option as plain data."""
    record = entry.record
    found: dict[str, Any] = {
        "key": entry.key,
        "tables": list(entry.tables),
        "present": entry.option is not None,
        "type": record.get("type"),
        "default": record.get("default"),
        "has_default": "default" in record,
        "computed": record.get("computed"),
    }
    for name in ("choices", "aliases", "flags"):
        found[name] = list(record.get(name, ()))
    for name in ("required", "nullable", "deprecated"):
        found[name] = bool(record.get(name))
    for name in ("replaced_by", "min", "max"):
        found[name] = record.get(name)
    found["exclusive"] = list(record.get("exclusive", ()))
    found["added"], found["removed"] = entry.life.added, entry.life.removed
    found["renamed"] = (
        {"version": entry.renamed.version, "names": list(entry.renamed.new)} if entry.renamed is not None else None
    )
    found["formerly"] = [{"name": each.old, "version": each.version} for each in entry.before]
    found["events"] = [
        {"version": each.version, "what": each.what, "before": each.before, "after": each.after}
        for each in entry.events
    ]
    found["source"] = record.get("source")
    return found
