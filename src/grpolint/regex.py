"""Regular expressions that are compiled when they are first used.

A compiled expression is not kept between two starts of the interpreter, and most starts need few of those that the
modules define. What `regex` returns serves as the `re.Pattern` it becomes, except that it is no instance of it.
"""

from __future__ import annotations

import re
from typing import Any, cast

__all__ = ["regex"]

_METHODS = (
    "match",
    "fullmatch",
    "search",
    "finditer",
    "findall",
    "sub",
    "subn",
    "split",
    "flags",
    "groups",
    "groupindex",
)


class _Regex:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._given = flags

    def __getattr__(self, name: str) -> Any:
        # Reached once: what the compiled expression offers hides this method from then on.
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._given)
        self.__dict__.update((each, getattr(compiled, each)) for each in _METHODS)
        return self.__dict__[name]

    def __repr__(self) -> str:
        return f"regex({self.pattern!r})"


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` makes of the same arguments, later. An invalid expression raises `re.error` at its first use."""
    return cast("re.Pattern[str]", _Regex(pattern, flags))
