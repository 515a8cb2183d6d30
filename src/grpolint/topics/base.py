"""What a topic is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grpolint.changes import Change
from grpolint.records import Record

if TYPE_CHECKING:
    from grpolint.hardware import Gpu

__all__ = ["Advice", "Asked", "Topic"]


class Asked(Record):
    """For whom advice is asked: the framework and release whose syntax the fragment is in, and the accelerator, if known."""

    framework: str
    version: str
    gpu: str | None = None


class Advice(Record):
    """One option or variable worth setting, with the reason and the evidence (refs of `grpolint.evidence.threads`).

    `change` is None where the release has nothing to set: `why` then says what is true of it.
    """

    change: Change | None
    why: str
    refs: tuple[str, ...] = ()


class Topic(Record):
    """A subject: what `check` runs, what `diagnose` considers, what `avoid` advises.

    `rules` are ids, names, aliases or families of rules under the policy `evidence`, `handbook` the ids of the handbook's
    rules; `patterns` the classes of the matrix; `facts` those that a report of the topic shows. `advice` gives what to set
    in a framework, None where the topic has nothing to say of it. `card` gives what is true of the subject on an
    accelerator, one sentence each.
    """

    name: str
    title: str
    rules: tuple[str, ...]
    handbook: tuple[str, ...]
    patterns: tuple[str, ...]
    facts: tuple[str, ...]
    advice: Callable[[Asked], tuple[Advice, ...] | None]
    card: Callable[[Gpu], tuple[str, ...]] = lambda _: ()
