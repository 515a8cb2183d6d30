"""Fixes: a change in the language of settings becomes a sentence for the help line, and edits of characters.

An edit is made only where the text that makes the value is certain: the characters stand at the end of the value's
origins and read as the value does. Everything else gives no edit, and the sentence remains.
"""

from __future__ import annotations

from typing import Any

from grpolint.changes import AddEnv, Change, RemoveOption, RenameOption, SetOption
from grpolint.documents.source import Source, Span
from grpolint.frameworks.base import Framework
from grpolint.literals import find_literal, spelled_like
from grpolint.records import Record
from grpolint.run import Run, Setting
from grpolint.values import VARIABLES, Known, Origin

__all__ = ["Edit", "apply", "edits", "help_text"]

_SHELL = ("override", "flag", "env")
_PLAIN_SHELL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%^")


class Edit(Record):
    """Replace characters `start` up to, not including, `end` of a file by `replacement`.

    `safe` is true if the edit cannot alter the training result, or strictly prevents a crash.
    """

    source: Source
    start: int
    end: int
    replacement: str
    safe: bool = False


def help_text(change: Change, run: Run, framework: Framework | None) -> str:
    """What to do, in the syntax of the document: `set actor_rollout_ref.rollout.n=8`."""
    if isinstance(change, AddEnv):
        return f"export {change.name}={_quoted(change.value)} before the launch"
    setting = run.setting(change.framework, change.key)
    if isinstance(change, RemoveOption):
        return f"remove {_written(change.key, setting)}"
    if isinstance(change, RenameOption):
        written = _written(change.key, setting)
        name = _name_in(written, change.key)
        renamed = written.replace(name, change.new_key, 1) if name else change.new_key
        return f"write {renamed.lstrip('+')} instead of {written}"
    spelled = _spell(change, setting, run, framework)
    if not spelled:
        return f"remove {_written(change.key, setting)}"
    return f"{'add' if setting is None or setting.span is None else 'set'} {spelled}"


def edits(change: Change, run: Run, framework: Framework | None) -> tuple[Edit, ...]:
    """The edits that make the change; empty where no certain one exists."""
    found: Edit | None = None
    if isinstance(change, AddEnv):
        found = _add_env(change, run)
        return (found,) if found is not None else ()
    setting = run.setting(change.framework, change.key)
    written = setting.span if setting is not None else None
    if isinstance(change, SetOption) and (setting is None or written is None):
        found = _append(change, run, framework)
    elif setting is None or written is None:
        found = None
    elif isinstance(change, SetOption) and _spell(change, setting, run, framework):
        found = _set(change, setting, written)
    elif isinstance(change, RenameOption):
        found = _rename(change, setting, written)
    else:
        found = _remove(change, setting, written)
    return (found,) if found is not None else ()


def apply(source: Source, wanted: list[Edit]) -> tuple[str, list[Edit]]:
    """The text of a source after its edits, and those that were made, each once: of overlapping ones the first wins."""
    made: list[Edit] = []
    for edit in dict.fromkeys(wanted):
        clash = any(
            (edit.start < other.end and other.start < edit.end)
            or (edit.start == other.start and edit.end == other.end and edit.replacement == other.replacement)
            for other in made
        )
        if edit.source.path == source.path and not clash:
            made.append(edit)
    text = source.text
    for edit in sorted(made, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text, made


def _spell(change: SetOption, setting: Setting | None, run: Run, framework: Framework | None) -> str:
    if framework is not None:
        return framework.spell(change.key, change.value, setting, run)
    from grpolint.rules.api import show

    return f"{change.key}={show(change.value)}"


def _name_in(written: str, key: str) -> str:
    """How the key is spelled in an option as written, flags with dashes among them; an empty text if it is not."""
    return next((name for name in (key, key.replace("_", "-")) if name in written), "")


def _written(key: str, setting: Setting | None) -> str:
    """The option as it is written, short enough for a sentence."""
    if setting is None or setting.span is None:
        return key
    text = setting.span.text
    if "\n" in text or len(text) > 80 or setting.form not in _SHELL or "$" in text:
        return key
    return text


def _on_disk(span: Span) -> Span | None:
    """The span in the file on disk, None if its characters do not correspond to those of the file."""
    outer = span.outer()
    return outer if outer.text == span.text else None


def _set(change: SetOption, setting: Setting, written: Span) -> Edit | None:
    """Replace the literal at the end of the value's origins, or the use of a variable that others use too."""
    if not isinstance(setting.value, Known):
        return None
    old = setting.value.value
    at, use = written, None
    for origin in setting.value.origins:
        if origin.what not in VARIABLES or origin.span is None or origin.span == at:
            at = origin.span if origin.span is not None and origin.what not in VARIABLES else at
            continue
        # Characters pass unchanged through `key=$NAME` only.
        here = _variable_use(at, origin.detail)
        if here is None:
            break
        use = use or here
        if _used_elsewhere(origin, origin.span):
            break
        at = origin.span
    literal = find_literal(at, old) or find_literal(written, old) or use
    return _replace(change, setting, literal, old) if literal is not None else None


def _replace(change: SetOption, setting: Setting, at: Span, old: Any) -> Edit | None:
    place = _on_disk(at)
    if place is None:
        return None
    text = spelled_like(change.value, at, old, setting.form)
    return Edit(place.source, place.start, place.end, text, change.safe) if text is not None else None


def _used_elsewhere(origin: Origin, span: Span) -> bool:
    """Whether a shell variable is used more than once, so that changing it would change something else too."""
    name = origin.detail.lstrip("$").strip("{}")
    if not name.isidentifier():
        return True
    text = span.source.text
    uses = 0
    for form in ("$" + name, "${" + name):
        at = text.find(form)
        while at >= 0:
            after = text[at + len(form) : at + len(form) + 1]
            own_fallback = text[:at].removesuffix('"').endswith(name + "=")
            if not own_fallback and not (after.isalnum() or after == "_"):
                uses += 1
            at = text.find(form, at + 1)
    return uses > 1


def _variable_use(span: Span, name: str) -> Span | None:
    """The characters `$NAME`, `${NAME}` or `${NAME:-...}` that are the whole value in `key=$NAME`."""
    text = span.text.rstrip().removesuffix('"')
    name = name.lstrip("$").strip("{}")
    start = text.rfind("$")
    used = text[start:]
    before = text[: max(start, 0)].removesuffix('"')
    if start < 0 or not name or (before and before[-1] not in "= \t\n"):
        return None
    whole = used in ("$" + name, "${" + name + "}")
    fallback = used.startswith(("${" + name + ":-", "${" + name + "-")) and used.endswith("}")
    return Span(span.source, span.start + start, span.start + len(text)) if whole or fallback else None


def _append(change: SetOption, run: Run, framework: Framework | None) -> Edit | None:
    """Add an option after the last argument of the launch, laid out as that one is."""
    launch = run.launch
    if launch is None or framework is None or change.framework != run.trainer or launch.slips:
        return None  # where options are lost, the end of the command is not where it seems to be
    spelled = framework.spell(change.key, change.value, None, run)
    if not spelled:
        return None
    if not spelled.startswith("-") and not _PLAIN_SHELL.issuperset(spelled):
        spelled = _quoted(spelled)  # a framework quotes the values of its flags itself
    words = [word for word in launch.argv if word.span is not None]
    if not words or words[-1].span is None:
        return None
    last = _on_disk(words[-1].span)
    command = _on_disk(launch.span)
    if last is None or command is None or "\n" in last.text:
        return None
    text = last.source.text
    if last.end > len(text) or text[last.end : last.end + 1] not in (
        "",
        " ",
        "\t",
        "\n",
        "\r",
        ";",
        ")",
        "&",
        "|",
        ">",
    ):
        return None
    line_start = text.rfind("\n", 0, last.start) + 1
    indent = text[line_start : last.start]
    end = "\r\n" if text[: last.start].endswith("\r\n" + indent) else "\n"
    inside = last.source.path == command.source.path and command.start <= last.start and last.end <= command.end
    own_line = not indent.strip() and line_start > (command.start if inside else 0)
    if inside:
        lead = f" \\{end}{indent}" if own_line else " "
    else:
        lead = f"{end}{indent}" if own_line else " "
        if not _in_array(text, last):
            return None
    return Edit(last.source, last.end, last.end, lead + spelled, change.safe)


def _in_array(text: str, span: Span) -> bool:
    """Whether a word stands in an array `NAME=( ... )`, where another word may follow it."""
    opened = text.rfind("=(", 0, span.start)
    if opened < 0:
        return False
    between = text[opened + 2 : span.start]
    return not any(char in between for char in ")('\"`$")


def _remove(change: RemoveOption | SetOption, setting: Setting, written: Span) -> Edit | None:
    span = _on_disk(written)
    if span is None:
        return None
    if setting.form in _SHELL:
        return _remove_word(change, span)
    if setting.form == "yaml":
        return _remove_line(change, span)
    if setting.form == "json":
        return _remove_member(change, span)
    return None


def _remove_word(change: RemoveOption | SetOption, span: Span) -> Edit | None:
    """Take a shell word out, with the blanks and the continuation before it."""
    text = span.source.text
    start = span.start
    while start > 0 and text[start - 1] in " \t\r\n\\":
        if text[start - 1] == "\\" and text[start : start + 1] not in ("\n", "\r"):
            break
        start -= 1
    gap = text[start : span.start]
    if not gap:
        return None
    following = text[span.end : _line_end(text, span.end)].strip()
    if "\n" in gap and following not in ("", "\\"):
        end = span.end
        while text[end : end + 1] in (" ", "\t"):
            end += 1
        return Edit(span.source, span.start, end, "", change.safe)
    return Edit(span.source, start, span.end, "", change.safe)


def _remove_line(change: RemoveOption | SetOption, span: Span) -> Edit | None:
    """Take the lines of a YAML entry out, if it has them for itself and is not alone in its mapping."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    stop = span.end
    while stop > span.start and text[stop - 1] in " \t\r\n":
        stop -= 1
    rest = text[stop : _line_end(text, stop)].strip()
    if text[start : span.start].strip() or (rest and not rest.startswith("#")):
        return None
    end = min(_line_end(text, stop) + 1, len(text))
    indent = span.start - start
    if not (_sibling(text[:start].splitlines()[::-1], indent) or _sibling(text[end:].splitlines(), indent)):
        return None
    return Edit(span.source, start, end, "", change.safe)


def _sibling(lines: list[str], indent: int) -> bool:
    """Whether the nearest lines hold another entry at this depth before one of a lesser depth."""
    for line in lines:
        bare = line.lstrip(" ")
        if not bare.strip() or bare.startswith("#"):
            continue
        depth = len(line) - len(bare)
        if depth <= indent:
            return depth == indent and not bare.startswith(("- ", "---", "..."))
    return False


def _remove_member(change: RemoveOption | SetOption, span: Span) -> Edit | None:
    """Take a member of a JSON object out, with the comma after it or, for the last one, before it."""
    text = span.source.text
    end = span.end
    while text[end : end + 1] in (" ", "\t", "\r", "\n") and end < len(text):
        end += 1
    start = span.start
    while start > 0 and text[start - 1] in " \t\r\n":
        start -= 1
    if text[end : end + 1] == ",":
        return Edit(span.source, start, end + 1, "", change.safe)
    if text[start - 1 : start] == ",":
        return Edit(span.source, start - 1, span.end, "", change.safe)
    return None


def _rename(change: RenameOption, setting: Setting, written: Span) -> Edit | None:
    """Replace the characters of the key. A nested key can only be renamed within its mapping."""
    span = _on_disk(written)
    if span is None:
        return None
    old, new = change.key, change.new_key
    if setting.form in ("yaml", "json", "python"):
        if old.rpartition(".")[0] != new.rpartition(".")[0]:
            return None
        old, new = old.rpartition(".")[2], new.rpartition(".")[2]
    text = span.text
    lead = len(text) - len(text.lstrip("'\"+~-"))
    for was, now in ((old, new), (old.replace("_", "-"), new.replace("_", "-"))):
        after = text[lead + len(was) : lead + len(was) + 1]
        if text.startswith(was, lead) and not (after.isalnum() or after in ("_", "-", ".")):
            start = span.start + lead
            # `+` adds what the configuration does not have; the new name is one that it has.
            plus = lead - len(text[:lead].rstrip("+"))
            return Edit(span.source, start - plus, start + len(was), now, change.safe)
    return None


def _add_env(change: AddEnv, run: Run) -> Edit | None:
    """Put an export before the line on which the launch begins."""
    launch = run.launch
    if launch is None or launch.span.source.parent is not None or "ray job submit" in launch.wrappers:
        return None
    if change.name in launch.env:
        return None
    text, start = launch.span.source.text, launch.span.start
    line_start = text.rfind("\n", 0, start) + 1
    indent = text[line_start:start]
    before = text[:line_start].rstrip("\r\n")
    if indent.strip() or before.endswith("\\"):
        return None
    end = "\r\n" if text[:line_start].endswith("\r\n") else "\n"
    export = f"{indent}export {change.name}={_quoted(change.value)}{end}"
    return Edit(launch.span.source, line_start, line_start, export, change.safe)


def _quoted(text: str) -> str:
    """A text as one shell word."""
    if text and _PLAIN_SHELL.issuperset(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
