"""Topics: lenses on the one engine for a subject. A topic chooses rules, facts, causes and advice; it decides nothing itself."""

from __future__ import annotations

from importlib import import_module

from grpolint.topics.base import Topic

__all__ = ["TOPICS", "topic"]

TOPICS = ("moe", "muon", "fsdp", "zero")
"""The topics; `grpolint.topics.<name>` defines `TOPIC`."""


def topic(name: str) -> Topic:
    """The topic of that name; imports its module."""
    found: Topic = import_module(f"grpolint.topics.{name}").TOPIC
    return found
