"""What the words are by which threads, sources, pages and experiments are cited."""

from __future__ import annotations

import re

from grpolint.records import Record

__all__ = ["NUMBER", "PACKAGES", "Reference", "package_of", "read"]

PACKAGES = {"megatron-core": "megatron", "Megatron-LM": "megatron"}
"""Framework of a package where its name is another."""

NUMBER = re.compile(r"(?<![\w/])#(\d+)\b")
"""The number of a thread without its repository."""

_THREAD = re.compile(r"([A-Za-z0-9][\w.-]*/[\w.-]+)#(\d+)")
_SOURCE = re.compile(r"([A-Za-z][\w.-]*) (\w*?)(\d[\w.]*): (\S+)")
_EXPERIMENT = re.compile(r"grpolint lab ([a-z]+)")
_PAGE = re.compile(r"\S[^:]*: \S.*|arXiv \d{4}\.\d{5}\b.*")


class Reference(Record):
    """A ref taken apart. `kind` is thread, source, experiment or page; the other fields are those that its kind has."""

    kind: str
    repository: str = ""
    number: int = 0
    package: str = ""
    version: str = ""
    file: str = ""


def read(ref: str) -> Reference | None:
    """The ref's parts; None for a text that is no ref."""
    if found := _THREAD.fullmatch(ref):
        return Reference("thread", repository=found[1], number=int(found[2]))
    if found := _SOURCE.fullmatch(ref):
        return Reference("source", package=found[1], version=found[3], file=found[4])
    if found := _EXPERIMENT.fullmatch(ref):
        return Reference("experiment", file=found[1])
    return Reference("page") if _PAGE.fullmatch(ref) else None


def package_of(reference: Reference) -> str:
    """The framework of a source's package, by the name it has in the catalog."""
    return PACKAGES.get(reference.package, reference.package)
