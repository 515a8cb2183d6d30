"""Whether a value fits what a release declares of an option: type, choices, bounds. Silent where it is not certain."""

from __future__ import annotations

from typing import Any

from grpolint.catalog.loader import Option
from grpolint.literals import placeholder

__all__ = ["misfit"]


def misfit(option: Option, value: Any) -> str:
    """Why a value that somebody wrote is none for the option, as the end of a sentence; empty if it is or may be one.

    Only plain types (int, float, bool), listed choices and bounds are judged; `auto` and null never are, nor is what a
    template leaves to be filled in.
    """
    record = option.record
    if value is None or value == "auto" or isinstance(value, dict) or record.get("removed"):
        return ""
    values = value if isinstance(value, list) else [value]
    choices = record.get("choices")
    if choices:
        known = {str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in choices}
        for each in values:
            if not isinstance(each, (list, dict)) and _text(each) not in known:
                return f"one of {', '.join(sorted(known))}, not {_text(each)!r}"
        return ""
    if isinstance(value, list):
        return ""
    kind = str(record.get("type", ""))
    if isinstance(value, str):
        return "" if placeholder(value) else _wrong_text(kind, value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and kind in ("int", "float"):
        return _out_of_bounds(record, value)
    return ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrong_text(kind: str, value: str) -> str:
    """A text where a number or a truth value is declared; texts that are such are none of ours."""
    if kind == "int":
        try:
            int(value.replace(" ", "x"))
        except ValueError:
            return f"a whole number, not {value!r}"
    elif kind == "float":
        try:
            float(value)
        except ValueError:
            return f"a number, not {value!r}"
    elif kind == "bool" and value.strip().lower() not in _TRUTHS:
        return f"true or false, not {value!r}"
    return ""


_TRUTHS = frozenset({"true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0", ""})


def _out_of_bounds(record: dict[str, Any], value: float) -> str:
    without = record.get("exclusive", ())
    low, high = record.get("min"), record.get("max")
    if low is not None and (value <= low if "min" in without else value < low):
        return f"{'above' if 'min' in without else 'at least'} {low}, not {value}"
    if high is not None and (value >= high if "max" in without else value > high):
        return f"{'below' if 'max' in without else 'at most'} {high}, not {value}"
    return ""
