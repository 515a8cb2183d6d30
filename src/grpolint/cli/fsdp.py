"""`grpolint fsdp`."""

from __future__ import annotations

from grpolint.cli import topic

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Run a mode of the topic; the result is the exit code."""
    return topic.main("fsdp", words)
