"""Which release a launch was written for, by the options that it gives, where nothing else names one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from grpolint.catalog import table, versions
from grpolint.run import Version

__all__ = ["inferred"]


def inferred(framework: str, name: str, typed: Iterable[str], version: Version) -> Version:
    """The newest release whose table `name` knows most of the option names typed; `version` itself if that is named.

    Names that no release ever had (those of the library below) make no difference.
    """
    if not version.assumed or version.origin != Version("").origin:
        return version
    names = _ever(framework, name).intersection(typed)
    best, most = version, -1
    for text in reversed(versions(framework)):
        known = len(names & _names(framework, name, text))
        if known > most:
            best, most = Version(text, assumed=True, origin="inferred from its options"), known
        if most == len(names):
            break
    return version if best.text == version.text else best


@lru_cache(maxsize=64)
def _names(framework: str, name: str, text: str) -> frozenset[str]:
    found = table(framework, name, text)
    return frozenset(found.keys()) if found is not None else frozenset()


@lru_cache(maxsize=16)
def _ever(framework: str, name: str) -> frozenset[str]:
    from grpolint.catalog.loader import raw

    return frozenset(raw(framework, name)[2])
