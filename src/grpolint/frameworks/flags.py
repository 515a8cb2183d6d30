"""Reading command lines the way argparse and its relatives do: words in, settings out.

Every framework that takes `--key value` options uses this reader; what differs between their parsers (dashes and
underscores, abbreviations, booleans with or without a value, short names, `1k` numbers) is a `Syntax`.

A value that is only partly known is Unknown. A word that is wholly unknown and stands where an option could stand may
hide any number of options: then `Reading.open_reason` is set, and options that are not written are unknown as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from grpolint.catalog import Option, Table
from grpolint.digits import MOST
from grpolint.documents.source import Span
from grpolint.launch import Word
from grpolint.records import Record, field
from grpolint.regex import regex
from grpolint.run import Setting
from grpolint.values import Known, Origin, Unknown, Value, origins_of

__all__ = ["Flag", "Reading", "Syntax", "convert", "expand", "guess", "read_flags", "stores", "word_value"]

_NEGATIVE = regex(r"-\d+(\.\d*)?([eE][-+]?\d+)?|-\.\d+([eE][-+]?\d+)?")
_INT = regex(r"[-+]?\d{1,400}")
_FLOAT = regex(r"[-+]?(\d+\.\d*|\.\d+|\d+)([eE][-+]?\d+)?")
_HUMAN = regex(r"(\d{1,18}(?:\.\d+)?)([kKmMgGtT])")
_TRUTH = {"true": True, "yes": True, "t": True, "y": True, "1": True, "on": True}
_FALSITY = {"false": False, "no": False, "f": False, "n": False, "0": False, "off": False}
_BOOLEANS = {**_TRUTH, **_FALSITY}


class Syntax(Record):
    """How one program reads its command line.

    `framework` owns the options that no table knows; an option found in one of `tables` belongs to that table's
    framework. `aliases` maps other spellings to destinations: short names with their dash (`-tp`), long ones without
    dashes and with underscores (`tp_size`). `switches` take no value although no table says so.
    `bool_values`: a boolean may be followed by a value (`--bf16 true`, HfArgumentParser) instead of being a bare
    switch. `abbreviations`: a unique beginning of a name is enough, except for the options of `exact`, which another
    parser reads. `dashes`: a dash in a name reads as an
    underscore. `human`: whole numbers may carry a size letter (`32k` decimal, `32K` binary).
    """

    framework: str
    tables: tuple[Table, ...] = ()
    exact: tuple[Table, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    bool_values: bool = False
    abbreviations: bool = False
    dashes: bool = True
    human: bool = False

    def option(self, dest: str) -> Option | None:
        """What the tables say of a destination, None if they do not know it."""
        for table in (*self.tables, *self.exact):
            found = table.option(dest)
            if found is not None:
                return found
        return None

    def normal(self, name: str) -> str:
        """A name without its leading dashes in the spelling of destinations; dotted parts below a name are kept."""
        return _normal(name) if self.dashes else name.lstrip("-")

    def known(self, name: str) -> str | None:
        """Destination of a spelling that the aliases or the tables list, None if they do not."""
        spelled = name if not name.startswith("--") else self.normal(name)
        return self.aliases.get(spelled) or _spellings(self.tables + self.exact).get(spelled)


def _normal(name: str) -> str:
    head, dot, rest = name.lstrip("-").partition(".")
    return head.replace("-", "_") + dot + rest


@lru_cache(maxsize=32)
def _spellings(tables: tuple[Table, ...]) -> dict[str, str]:
    """Destinations by every listed spelling; of two tables the first one counts."""
    found: dict[str, str] = {}
    for table in tables:
        for key in table.keys():  # noqa: SIM118 - a Table is no mapping
            option = table.option(key)
            record = option.record if option is not None else {}
            for name in (*record.get("flags", ()), *record.get("aliases", ())):
                spelled = name if name.startswith("-") and not name.startswith("--") else _normal(name)
                found.setdefault(spelled, key)
    return found


class Flag(Record):
    """One option as found on a command line: what was typed, where it goes, its value.

    `option` is its catalog entry, None where the release (or the catalog) has none. `bare` says that no value
    followed although the parser demands one. `words` are the words it was made of.
    """

    typed: str
    dest: str
    value: Value
    span: Span | None
    option: Option | None
    words: tuple[Word, ...]
    bare: bool = False

    def setting(self, framework: str, key: str | None = None) -> Setting:
        """As a setting of the option's own framework, or of `framework` if no table knows it."""
        owner = self.option.framework if self.option is not None else framework
        return Setting(owner, key if key is not None else self.dest, self.value, self.span, "flag")


class Reading(Record, frozen=False):
    """A command line, read: its options in order, the positional words, and why it may hide more (or None)."""

    flags: list[Flag] = field(default_factory=list)
    positionals: list[Word] = field(default_factory=list)
    open_reason: str | None = None

    def last(self, dest: str) -> Flag | None:
        """The flag that decides a destination: the last one."""
        return next((flag for flag in reversed(self.flags) if flag.dest == dest), None)

    def value(self, dest: str) -> Value | None:
        """Value of the last flag for a destination, None if it is not given."""
        flag = self.last(dest)
        return flag.value if flag is not None else None

    def pattern(self, dest: str) -> str | None:
        """Its value as typed, with `<reason>` for what is unknown; None if it is not given or has no value."""
        flag = self.last(dest)
        if flag is None:
            return None
        word = flag.words[-1]
        if len(flag.words) > 1:
            return word.pattern
        _, equals, value = word.pattern.partition("=")
        return value if equals else None


# values


def guess(text: str) -> Any:
    """The value of a text whose option has no known type: a number, a truth value, nothing, JSON, else the text."""
    if _INT.fullmatch(text) and len(text) <= MOST:
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    low = text.lower()
    if low in ("true", "false"):
        return low == "true"
    if low in ("none", "null"):
        return None
    return _json(text)


def _json(text: str) -> Any:
    if text[:1] in "{[" and text[-1:] in "}]" and len(text) < 1_000_000:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def convert(text: str, option: Option | None, human: bool = False) -> Any:
    """The value a parser makes of `text` for an option: by the type in the catalog, else by its look.

    A text that does not fit the type stays text: the parser would reject it, and a rule can say so.
    """
    kind = str(option.record.get("type", "")).lower() if option is not None else ""
    sized = _HUMAN.fullmatch(text) if human and (not kind or "int" in kind) else None
    if sized is not None and len(text) < 100:
        base = 1000 if sized[2].islower() else 1024
        return int(float(sized[1]) * base ** ("kmgt".index(sized[2].lower()) + 1))
    if not kind or kind in ("any", "object", "unknown"):
        return guess(text)
    if "bool" in kind and text.lower() in _BOOLEANS and not ("int" in kind and _INT.fullmatch(text)):
        return _BOOLEANS[text.lower()]
    if "int" in kind and _INT.fullmatch(text) and len(text) <= MOST:
        return int(text)
    if "float" in kind and _FLOAT.fullmatch(text):
        return float(text)
    if "str" not in kind.replace("strategy", "") and text.lower() in ("none", "null"):
        return None
    return _json(text)


def word_value(word: Word, change: Callable[[str], Any], *before: Origin) -> Value:
    """Value of a word: `change` applied to its text if that is known, else Unknown with the word's reason.

    Where the word has one unknown part with listed alternatives, they are carried over. `before` are origins that
    come before the word's own.
    """
    origins = (*before, *word.origins)
    text = word.text
    if text is not None:
        return Known(change(text), origins)
    holes = [part for part in word.parts if part.unknown is not None]
    alternatives: tuple[Any, ...] = ()
    if len(holes) == 1 and holes[0].alternatives:
        at = word.parts.index(holes[0])
        head = "".join(part.text or "" for part in word.parts[:at])
        tail = "".join(part.text or "" for part in word.parts[at + 1 :])
        alternatives = tuple(change(head + each + tail) for each in holes[0].alternatives)
    return Unknown(word.reason or "expression:" + word.pattern, origins, alternatives)


def expand(setting: Setting) -> list[Setting]:
    """A setting whose value is a mapping as one setting a leaf, with dotted keys; any other setting as it is."""
    value = setting.value
    if not isinstance(value, Known) or not isinstance(value.value, dict) or not value.value:
        return [setting]
    found: list[Setting] = []
    stack: list[tuple[str, Any]] = [(setting.key, value.value)]
    while stack:
        key, at = stack.pop()
        if isinstance(at, dict) and at:
            stack.extend((f"{key}.{name}", below) for name, below in reversed(at.items()))
        else:
            found.append(Setting(setting.framework, key, Known(at, value.origins), setting.span, setting.form))
    return found


# reading


def read_flags(words: Sequence[Word], syntax: Syntax) -> Reading:
    """Read a command line. Never fails: what a parser would reject is kept under the name it was typed with."""
    reading = Reading()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.text == "--":
            reading.positionals.extend(words[at:])
            break
        if not _is_option(word):
            hidden = _hidden(word, syntax) if _may_hide_options(word) else ()
            reading.flags.extend(hidden or ())
            if hidden is None:
                reading.open_reason = reading.open_reason or word.reason
            reading.positionals.append(word)
            continue
        name, given = _cut(word)
        if name is None:  # `--$NAME=1`: some option, nobody knows which
            reading.open_reason = reading.open_reason or word.reason
            continue
        target = _destination(name, syntax)
        used = [word]
        if given is None and not target.stores:
            kind = _kind(target.dest, target.option, syntax)
            used.extend(_following(words, at, kind))
            at += len(used) - 1
        reading.flags.append(_flag(name, target, given, used, syntax))
    return reading


def _is_option(word: Word) -> bool:
    """Whether argparse takes the word for an option: it begins with a dash, is no negative number and has no blank."""
    prefix = word.prefix
    if len(prefix) < 2 or prefix[0] != "-":
        return False
    if _NEGATIVE.fullmatch(prefix) or (prefix[1] in "0123456789." and not word.known):
        return False
    return " " not in prefix.partition("=")[0]


def _may_hide_options(word: Word) -> bool:
    """Whether a word may hold options nobody sees: it begins with an unknown that is no place or moment, and that no path
    follows (`$DATA/train.jsonl`).
    """
    if not word.parts or word.parts[0].unknown is None or word.parts[0].symbolic:
        return False
    return not (len(word.parts) > 1 and (word.parts[1].text or "").startswith("/"))


def _hidden(word: Word, syntax: Syntax) -> list[Flag] | None:
    """The options that an unknown word may be, where all its possible texts are known; None where they are not."""
    part = word.parts[0]
    if len(word.parts) > 1 or not part.alternatives:
        return None
    value = Unknown(part.unknown or "", word.origins)
    found: list[Flag] = []
    for token in " ".join(part.alternatives).split():
        if token.startswith("--"):
            name = token.partition("=")[0]
            target = _destination(name, syntax)
            found.append(Flag(name, target.dest, value, word.span, target.option, (word,)))
    return found


def _cut(word: Word) -> tuple[str | None, Word | None]:
    """Name and attached value of an option word (`--key=value`); no name if it is not known up to the `=`."""
    prefix = word.prefix
    equals = prefix.find("=")
    if equals > 0 and prefix.startswith("-"):
        left, right = word.split_at(equals + 1)
        return (left.text or "")[:-1], right
    return (prefix, None) if word.known else (None, None)


class _Target(NamedTuple):
    """Where an option goes; what its name alone stores (`--no-x`: False), empty if it takes a value; catalog entry."""

    dest: str
    stores: tuple[Any, ...]
    option: Option | None


def _destination(name: str, syntax: Syntax) -> _Target:
    normal = syntax.normal(name)
    listed = syntax.known(name)
    dest = listed or normal
    option = syntax.option(dest)
    if option is not None:
        return _Target(option.key, stores(name, option, syntax), option)
    if listed is not None or not name.startswith("--"):
        return _Target(dest, (), None)
    head, dot, rest = normal.partition(".")
    if dot:
        head = syntax.known("--" + head) or head
        return _Target(head + dot + rest, (), syntax.option(head))
    positive = normal.removeprefix("no_")
    if positive != normal and dest not in syntax.switches:
        positive = syntax.known("--" + positive) or positive
        found = syntax.option(positive)
        if not syntax.tables:
            return _Target(positive, (False,), None)
        if found is not None and _is_bool(found):
            return _Target(found.key, (False,), found)
    if syntax.abbreviations and syntax.tables:
        longer = {key for table in syntax.tables for key in table.keys() if key.startswith(normal)}  # noqa: SIM118
        if len(longer) == 1:
            full = longer.pop()
            return _Target(full, (), syntax.option(full))
    return _Target(dest, (), None)


def _is_bool(option: Option) -> bool:
    return str(option.record.get("type", "")).lower() in ("bool", "bool | none", "optional[bool]")


def stores(name: str, option: Option, syntax: Syntax) -> tuple[Any, ...]:
    """What the name of a switch alone stores: what the catalog says, else the value its name promises.

    Empty for an option that takes a value or may take one.
    """
    if option.record.get("nargs") != 0:
        return ()
    stored = option.record.get("stores", {})
    if name in stored:
        return (stored[name],)
    if not _is_bool(option):
        return ()
    normal = syntax.normal(name)
    if normal == option.key:
        return (True,)
    section, dot, last = normal.rpartition(".")
    return (section + dot + last.removeprefix("no_") != option.key,)


def _kind(dest: str, option: Option | None, syntax: Syntax) -> str:
    """How many words follow: `none`, `optional` (a truth value), `maybe` (one), `one`, `many`, a number, or `look`."""
    if dest in syntax.switches:
        return "none"
    if option is None:
        return "look"
    record = option.record
    if "." in dest and option.key != dest:
        return "one"
    nargs = record.get("nargs")
    if nargs in ("*", "+"):
        return "many"
    if isinstance(nargs, int):
        return str(nargs) if nargs else "none"
    kind = str(record.get("type", "")).lower()
    if nargs == "?":
        return "maybe"
    if _is_bool(option):
        return "optional" if syntax.bool_values else "none"
    if kind.startswith(("list", "tuple", "set")) and "flags" not in record:
        return "many"  # a field of a dataclass; a parser's own list without `nargs` is given item by item
    return "one" if kind else "look"


def _following(words: Sequence[Word], at: int, kind: str) -> list[Word]:
    """The value words of an option that stands before position `at`."""
    if kind == "none":
        return []
    limit = {"one": 1, "optional": 1, "maybe": 1, "look": len(words), "many": len(words)}.get(kind) or int(kind)
    found: list[Word] = []
    for word in words[at : at + limit]:
        if _is_option(word) or word.text == "--":
            break
        if _may_hide_options(word) and (kind in ("optional", "maybe") or (found and kind in ("look", "many"))):
            break  # more likely further options than a further value
        if kind == "optional" and (word.text or "").lower() not in _BOOLEANS:
            break
        found.append(word)
    return found


def _flag(name: str, target: _Target, given: Word | None, used: list[Word], syntax: Syntax) -> Flag:
    """The flag made of an option word, its attached value or the words that follow."""
    dest, stored, option = target
    first = used[0]
    value: Value
    here = Origin("flag", _cover(used), name)
    nested = option is not None and "." in dest and option.key != dest

    def change(text: str) -> Any:
        return guess(text) if nested else convert(text, option, syntax.human)

    kind = _kind(dest, option, syntax)
    bare = False
    if given is not None:
        value = word_value(given, change, here)
        if kind == "many" and isinstance(value, Known):
            value = Known([value.value], value.origins)
    elif stored:
        value = Known(stored[0], (here, *first.origins))
    elif len(used) == 1:
        value = Known(True, (here, *first.origins))
        if kind == "none" and option is not None and not _is_bool(option):
            value = Unknown("computed:what " + name + " stores", (here, *first.origins))
        bare = option is not None and (
            kind not in ("none", "optional", "maybe", "look") or _needs_value(option, syntax)
        )
    elif len(used) == 2 and kind != "many":
        value = word_value(used[1], change, here)
    else:
        items = [word_value(word, change) for word in used[1:]]
        hole = next((item for item in items if isinstance(item, Unknown)), None)
        origins = (here, *origins_of(*items))
        if hole is not None:
            value = Unknown(hole.reason, origins)
        else:
            value = Known([item.value for item in items if isinstance(item, Known)], origins)
    condition = next((word.condition for word in used if word.condition is not None), None)
    if condition is not None:
        value = Unknown(condition, value.origins)
    return Flag(name, dest, value, _cover(used), option, tuple(used), bare)


def _needs_value(option: Option, syntax: Syntax) -> bool:
    """HfArgumentParser demands a value for a boolean that may be None and is so by default."""
    record = option.record
    return syntax.bool_values and _is_bool(option) and bool(record.get("nullable")) and record.get("default") is None


def _cover(words: Sequence[Word]) -> Span | None:
    """The span from the first word to the last, as far as they stand next to each other."""
    span = words[0].span
    if span is None:
        return None
    for word in words[1:]:
        after = word.span
        if after is None or after.source is not span.source or after.start < span.end:
            break
        if span.source.text[span.end : after.start].strip(" \t\r\n\\\"'"):
            break
        span = Span(span.source, span.start, after.end)
    return span
