"""What a running package says of its options, held against a table of the catalog."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Collection
from importlib.metadata import version
from typing import Any

from grpolint.catalog import newest, table
from grpolint.catalog.loader import Table

DISTRIBUTIONS = {
    "transformers": "transformers",
    "trl": "trl",
    "peft": "peft",
    "accelerate": "accelerate",
    "deepspeed": "deepspeed",
    "megatron": "megatron-core",
}
"""Distribution by framework of the catalog."""

ABSENT = object()
"""A field without default."""


def plain(value: Any) -> Any:
    """A default as JSON has it."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def of_dataclass(kind: type) -> dict[str, Any]:
    """Defaults by field of a dataclass."""
    found = {}
    for field in dataclasses.fields(kind):
        if not field.init or field.name.startswith("_"):
            continue
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
        else:
            found[field.name] = ABSENT
    return found


def of_model(kind: Any) -> dict[str, Any]:
    """Defaults by field of a pydantic model."""
    return {
        name: ABSENT if field.is_required() else field.get_default(call_default_factory=True)
        for name, field in kind.model_fields.items()
    }


def at(framework: str, name: str) -> Table:
    """The table of the installed release, which is the catalog's newest. Raises LookupError if it has no such table."""
    installed = version(DISTRIBUTIONS[framework])
    if installed != newest(framework):
        raise LookupError(f"{framework} {installed} is installed, the catalog's newest is {newest(framework)}")
    found = table(framework, name, installed)
    if found is None or not found.keys():
        raise LookupError(f"the catalog has no table {name} of {framework} {installed}")
    return found


class Tally:
    """Counts of the comparisons with one table."""

    def __init__(self, framework: str, name: str) -> None:
        self.framework = framework
        self.name = name
        self.table = at(framework, name)
        self.equal = 0
        self.symbolic: list[str] = []
        self.differences: list[str] = []
        self.compared: set[str] = set()

    def fields(
        self, real: dict[str, Any], inherited: Table | None = None, prefix: str = "", inner: Collection[str] = ()
    ) -> None:
        """Every field of `real` has its default in the table (under `prefix`) or in `inherited`, and nothing is too much.

        `inner` are sections below `prefix` that are compared by themselves.
        """
        known = {*real, *inner}
        for name, value in real.items():
            key = prefix + name
            own = self.table.option(key)
            option = own or (inherited.option(key) if inherited else None)
            if option is None:
                self.differences.append(f"{key}: not in the catalog")
                continue
            if own is not None:
                self.compared.add(option.key)
            self.value(key, option.record, value)
        kept = [key for key in self.table if "removed" not in self.table.option(key).record]
        extra = [key for key in kept if key.startswith(prefix) and key.removeprefix(prefix).split(".")[0] not in known]
        self.differences.extend(f"{key}: only in the catalog" for key in extra)

    def keys(self, real: dict[str, Any], prefix: str = "") -> None:
        """The defaults in `real` alone, of a section or class of which the rest is compared elsewhere or not an option."""
        for name, value in real.items():
            option = self.table.option(prefix + name)
            if option is None:
                self.differences.append(f"{prefix}{name}: not in the catalog")
            else:
                self.compared.add(option.key)
                self.value(prefix + name, option.record, value)

    def value(self, key: str, record: dict[str, Any], real: Any) -> None:
        """One default."""
        if "computed" in record:
            self.symbolic.append(key)
            return
        ours = record.get("default", ABSENT)
        if ours is real or (ours is not ABSENT and real is not ABSENT and same(ours, plain(real))):
            self.equal += 1
        else:
            self.differences.append(f"{key}: catalog {shown(ours)}, package {shown(real)}")

    def instance(self, made: Any, given: dict[str, Any], derived: set[str], inherited: Table | None = None) -> None:
        """An instance made with `given` still has the defaults the catalog states as values.

        Defaults of null and `auto` are there to be replaced, and `derived` names the others that this class replaces.
        """
        kept = 0
        for field in dataclasses.fields(made):
            option = self.table.option(field.name) or (inherited.option(field.name) if inherited else None)
            default = option.record.get("default") if option else None
            if default in (None, "auto") or field.name in given:
                continue
            real = plain(getattr(made, field.name))
            if same(default, real) == (field.name in derived):
                verb = "still has" if field.name in derived else "makes of it"
                self.differences.append(f"{field.name}: catalog {default!r}, an instance {verb} {real!r}")
            kept += 1
        if not kept:
            self.differences.append("no default of an instance was compared")

    def spelling(self, name: str, ours: Any, real: Any) -> None:
        """Another fact than a default: flags, choices, what happens to unknown keys."""
        if ours != real:
            self.differences.append(f"{name}: catalog {ours!r}, package {real!r}")

    def left(self) -> set[str]:
        """Options of the table, but for the bare sections and the removed ones, that were not compared."""
        records = {key: self.table.option(key).record for key in self.table}
        return {
            key
            for key, record in records.items()
            if key not in self.compared and record.get("type") != "dict" and "removed" not in record
        }

    def line(self) -> str:
        """The counts in a line."""
        symbolic = f", {len(self.symbolic)} computed ({', '.join(self.symbolic)})" if self.symbolic else ""
        title = f"{self.framework} {self.table.version} {self.name}"
        return f"{title}: {self.equal} defaults equal, {len(self.differences)} differences{symbolic}"


def same(ours: Any, real: Any) -> bool:
    """Equal, and not a truth value for a number."""
    return bool(ours == real) and isinstance(ours, bool) == isinstance(real, bool)


def shown(value: Any) -> str:
    """A default in a message."""
    return "no default" if value is ABSENT else repr(value)
