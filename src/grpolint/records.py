"""Records: classes of a few named values, as `dataclasses` makes them, at a fraction of what those cost to start.

`dataclasses` imports `inspect` and compiles half a dozen functions for every class when its module is imported; for a
program that lives for a tenth of a second that was a third of its time. A record is built by its metaclass without
compiling anything; its `__init__` is compiled when so many instances were made that it pays, so classes that a run
hardly uses cost next to nothing. Type checkers see dataclasses.

    class Span(Record):                 # frozen: equality and hash by value, no assignment
        source: Source
        start: int = 0

    class Tally(Record, frozen=False):  # assignable, equality by value, no hash; eq=False: equality by identity
        files: list[str] = field(default_factory=list)

All records have slots, so that no other attribute can be set. Fields whose name starts with an underscore are not shown
by `repr`. Annotations are never evaluated: every module with records starts with `from __future__ import annotations`.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        return lambda cls: cls


__all__ = ["Record", "field", "replace"]

_T = TypeVar("_T")

_PAYS = 50
"""So many instances cost about as much more than with a compiled `__init__` as compiling it."""


class _Factory:
    """The default of a field that is made anew for every instance."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], _T]) -> _T:
    """A field whose default is made by a call for every instance."""
    return _Factory(default_factory)  # type: ignore[return-value]


def _refuse(self: Record, name: str, *_: object) -> NoReturn:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed: the record is frozen")


def _equal(self: Record, other: object) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = self._values
    return values(self) == values(other)


def _few(self: Record) -> tuple[object, ...]:
    """The values of a record with a single field, or with none."""
    return tuple(getattr(self, name) for name in self._fields)


def _hash(self: Record) -> int:
    return hash(self._values(self))


def _first(self: Record, *values: object, **named: object) -> None:
    """The `__init__` of the first instances: slower than a compiled one, but there at once."""
    cls = type(self)
    given = dict(zip(cls._fields, values))
    given.update(named)
    cls._count[0] += 1
    if cls._count[0] > _PAYS or len(given) < len(values) + len(named) or cls.__dict__["__init__"] is not _first:
        _compile(self, values, named)
        return
    put = object.__setattr__
    found = 0
    for name in cls._fields:
        if name in given:
            put(self, name, given[name])
            found += 1
        elif name in cls._defaults:
            default = cls._defaults[name]
            put(self, name, default.make() if type(default) is _Factory else default)
        else:
            found = -1  # no value
            break
    if found != len(given):  # the compiled one says what is wrong
        _compile(self, values, named)


def _compile(self: Record, values: tuple[object, ...], named: dict[str, object]) -> None:
    """Give the class of `self`, or the base that has the fields, its own `__init__`, and call it."""
    owner = next(each for each in type(self).__mro__ if each.__dict__.get("__init__") is _first)
    owner.__init__ = _compiled(owner)  # type: ignore[misc]
    owner.__init__(self, *values, **named)  # type: ignore[misc]


def _compiled(cls: type[Record]) -> Callable[..., None]:
    """The `__init__` of a record: a parameter for each field, in order."""
    parameters, body = ["self"], []
    names: dict[str, Any] = {}
    for number, name in enumerate(cls._fields):
        value = name
        if name in cls._defaults:
            default = names[f"d{number}"] = cls._defaults[name]
            parameters.append(f"{name}=d{number}")
            if isinstance(default, _Factory):
                names[f"f{number}"] = default.make
                value = f"f{number}() if {name} is d{number} else {name}"
        else:
            parameters.append(name)
        # The descriptor of a slot sets it whatever __setattr__ says.
        names[f"s{number}"] = getattr(cls, name).__set__
        body.append(f" s{number}(self, {value})")
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(body) or " pass"), names)  # noqa: S102 - names of fields
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


class _RecordType(type):
    """Makes the classes: slots and defaults from the annotations, the methods by frozen and eq."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], space: dict[str, Any], *, frozen: bool = True, eq: bool = True
    ) -> _RecordType:
        inherited: tuple[str, ...] = ()
        defaults: dict[str, Any] = {}
        for base in bases:
            inherited += getattr(base, "_fields", ())
            defaults.update(getattr(base, "_defaults", {}))
        own = tuple(each for each in space.get("__annotations__", ()) if bases and each not in inherited)
        defaults.update({each: space.pop(each) for each in own if each in space})
        names = inherited + own
        space["__slots__"] = own
        if bases:
            space.setdefault("__init__", _first)
            space["__match_args__"] = space["_fields"] = names
            space["_defaults"] = defaults
            space["_count"] = [0]
            space["_values"] = attrgetter(*names) if len(names) > 1 else staticmethod(_few)
            if eq:
                space.setdefault("__eq__", _equal)
                space.setdefault("__hash__", _hash if frozen else None)
            if frozen:
                space["__setattr__"] = space["__delattr__"] = _refuse
        return super().__new__(mcs, name, bases, space)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(metaclass=_RecordType):
    """The base of all records; see the module."""

    if TYPE_CHECKING:
        _fields: tuple[str, ...]
        _defaults: dict[str, Any]
        _count: list[int]
        _values: Any

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields if name[0] != "_")
        return f"{type(self).__qualname__}({shown})"

    def __reduce__(self) -> tuple[type[Record], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, name) for name in self._fields)


_R = TypeVar("_R", bound=Record)


def replace(record: _R, /, **changes: object) -> _R:
    """A copy of a record with some fields changed. Raises TypeError for a name that is no field."""
    values = {name: getattr(record, name) for name in record._fields}
    values.update(changes)
    return type(record)(**values)
