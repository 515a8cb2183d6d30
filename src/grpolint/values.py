"""Values: what is known of one quantity, and where it came from. Never a guess.

A value is `Known`, `Default` (nobody wrote it; the framework's release decides) or `Unknown` with the reason. Functions
that compute with values keep the three apart: the result of anything unknown is unknown, with the first reason met.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpolint.documents.source import Span
from grpolint.records import Record

__all__ = ["VARIABLES", "Default", "Known", "Origin", "Unknown", "Value", "combine", "origins_of", "plain"]

VARIABLES = ("variable", "fallback")
"""Steps that a shell variable makes: its assignment, or the default that `${X:-default}` gives for want of one."""


class Origin(Record):
    """One step in the making of a value.

    `what` is a short word for the step: override, flag, config file, variable, fallback, environment, argument default,
    keyword, --set, --env, default. `span` is the text that did it, None for what stands in no document.
    `detail` names the thing: the variable, the file, `verl 0.9.1`.
    """

    what: str
    span: Span | None = None
    detail: str = ""


class Known(Record):
    """A value that stands in the documents. `origins` run from where it is used to where its literal stands."""

    value: Any
    origins: tuple[Origin, ...] = ()


class Default(Record):
    """A value that nobody wrote: the default of `framework` at `version`, found in file `source` of that release."""

    value: Any
    framework: str
    version: str
    source: str = ""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """A single origin that names the release."""
        return (Origin("default", None, f"{self.framework} {self.version}"),)


class Unknown(Record):
    """A value that cannot be known from the documents.

    `reason` is machine-readable: `env:NAME`, `argument:$1`, `command:date`, `branch:LINE`, `file:PATH`,
    `expression:TEXT`, `computed:WHAT` (a default that depends on code). `alternatives` are the only possible
    values where they can be listed (both arms of an undecidable `if`).
    """

    reason: str
    origins: tuple[Origin, ...] = ()
    alternatives: tuple[Any, ...] = ()


Value = Known | Default | Unknown


def plain(value: Value | None) -> Any:
    """The Python value of a known or default value, None for an unknown or absent one."""
    return value.value if isinstance(value, (Known, Default)) else None


def origins_of(*values: Value | None) -> tuple[Origin, ...]:
    """All origins of several values, in order, each once."""
    found = [origin for value in values if value is not None for origin in value.origins]
    return tuple(found if len(found) < 2 else dict.fromkeys(found))


def combine(function: Callable[..., Any], *values: Value | None) -> Value | None:
    """`function` applied to the contents of several values.

    None if any value is absent (None), Unknown if any is unknown (with the first one's reason), otherwise Known with
    the origins of all. A function that raises ValueError, ZeroDivisionError, TypeError or OverflowError gives None:
    the quantity does not exist for these inputs.
    """
    if any(value is None for value in values):
        return None
    for value in values:
        if isinstance(value, Unknown):
            return Unknown(value.reason, origins_of(*values))
    try:
        return Known(function(*(plain(value) for value in values)), origins_of(*values))
    except (ValueError, ZeroDivisionError, TypeError, OverflowError):
        return None
