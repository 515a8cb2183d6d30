"""Models that write long chains of thought."""

from __future__ import annotations

__all__ = ["LEAST", "writes_long"]

LEAST = 1024
"""Tokens below which hardly one of their responses comes to an end."""

_NAMES = (
    "r1-distill",
    "qwq-",
    "-thinking",
    "deepseek-r1-",
    "openthinker",
    "light-r1",
    "skywork-or1",
    "deepscaler",
)


def writes_long(model: str | None) -> bool:
    """Whether a model's name is one of a family that thinks for thousands of tokens."""
    name = (model or "").lower()
    return any(word in name for word in _NAMES)
