"""The mode of a command that has several: its first word, or `--mode MODE` as the handbook's command lines have it."""

from __future__ import annotations

__all__ = ["split_mode"]


def split_mode(words: list[str], usual: str = "") -> tuple[str, list[str]]:
    """The mode and the other words; `usual` where none is named."""
    for at, word in enumerate(words):
        if word == "--mode" and at + 1 < len(words):
            return words[at + 1], words[:at] + words[at + 2 :]
        if word.startswith("--mode="):
            return word.partition("=")[2], words[:at] + words[at + 1 :]
    if words and not words[0].startswith("-"):
        return words[0], words[1:]
    return usual, words
