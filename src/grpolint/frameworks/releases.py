"""Which releases take part where nothing names them: by the options that a launch gives, and by what a release requires."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from grpolint.catalog import table, versions
from grpolint.run import Version
from grpolint.versions import satisfies
from grpolint.world import World

__all__ = ["assume_required", "inferred"]


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


def assume_required(world: World, framework: str, release: Version, required: Mapping[str, Mapping[str, str]]) -> None:
    """Take, of the libraries below a release, the newest ones that it may be installed with, where nobody names them.

    `required` has the bounds that the package declares, by the first release that declares them so.
    """
    since = [text for text in required if satisfies(release.text, f">={text}")]
    for library, bounds in required[since[-1]].items() if since else ():
        found = _newest(library, bounds)
        if found is not None:
            world.assume(library, Version(found, assumed=True, origin=f"required by {framework} {release.text}"))


@lru_cache(maxsize=64)
def _newest(library: str, bounds: str) -> str | None:
    return next((text for text in reversed(versions(library)) if satisfies(text, bounds)), None)


@lru_cache(maxsize=64)
def _names(framework: str, name: str, text: str) -> frozenset[str]:
    found = table(framework, name, text)
    return frozenset(found.keys()) if found is not None else frozenset()


@lru_cache(maxsize=16)
def _ever(framework: str, name: str) -> frozenset[str]:
    from grpolint.catalog.loader import raw

    return frozenset(raw(framework, name)[2])
