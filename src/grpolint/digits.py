"""Whole numbers in texts: which texts are one, whatever characters and however many they have."""

from __future__ import annotations

__all__ = ["MOST", "whole"]

MOST = 4000
"""Digits of the longest number that is read; Python converts none of more than 4300."""


def whole(text: str) -> int | None:
    """The number that a text of the digits 0 to 9 alone is; None for every other text, and for one beyond reading."""
    return int(text) if text.isdigit() and text.isascii() and len(text) <= MOST else None
