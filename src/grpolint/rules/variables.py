"""The environment variables of an engine against those that its releases read."""

from __future__ import annotations

from grpolint.rules.api import Inquiry

__all__ = ["misspelled", "removed"]

_NEAR = 0.9
"""How alike two names must be: one letter or one short word apart."""


def misspelled(run: Inquiry, engine: str, name: str) -> str | None:
    """The variable that is meant by a name that no release of the engine reads; None where the name is known, where the
    script uses it itself, or where none is near.
    """
    from difflib import get_close_matches

    from grpolint.catalog.loader import raw

    _, _, known = raw(engine, "env")
    if name in known or any(_reads(source.text, name) for source in run.run.sources):
        return None
    near = get_close_matches(name, [each for each in known if each[:4] == name[:4]], n=1, cutoff=_NEAR)
    return near[0] if near else None


def _reads(text: str, name: str) -> bool:
    """Whether a script reads a variable: then it may be its own."""
    return any(mark + name in text for mark in ("$", "${", "environ['", 'environ["', "getenv('", 'getenv("'))


def removed(engine: str, name: str, release: str) -> str | None:
    """The first release that no longer reads a variable, if `release` is that one or later; None otherwise."""
    from grpolint.catalog.history import history
    from grpolint.versions import satisfies

    life = history(engine, "env", name)
    gone = life.removed if life is not None else None
    return gone if gone is not None and satisfies(release, f">={gone}") else None
