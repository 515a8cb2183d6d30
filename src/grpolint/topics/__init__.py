"""Topics: lenses on the one engine for a subject. A topic chooses rules, facts, causes and advice; it decides nothing itself."""

from __future__ import annotations

from importlib import import_module

from grpolint.topics.base import Topic

__all__ = ["TOPICS", "rules", "topic"]

TOPICS = ("moe", "muon", "fsdp", "zero")
"""The topics; `grpolint.topics.<name>` defines `TOPIC`."""


def topic(name: str) -> Topic:
    """The topic of that name; imports its module."""
    found: Topic = import_module(f"grpolint.topics.{name}").TOPIC
    return found


def rules(topic: Topic, policy: str) -> tuple[str, ...]:
    """Ids of the rules that a topic runs under a policy. A family or an alias stands for those of its rules that are on by default; a
    rule that is off runs where the topic names it by id or name.
    """
    from grpolint.check import entries

    wanted = topic.handbook if policy == "handbook" else topic.rules
    found = []
    for entry in entries():
        named = entry.id in wanted or entry.name in wanted
        if entry.policy == policy and (named or (entry.default and any(map(entry.matches, wanted)))):
            found.append(entry.id)
    return tuple(found)
