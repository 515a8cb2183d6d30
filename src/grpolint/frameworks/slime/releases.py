"""Which releases take part in a slime run: slime's own, and those of Megatron and SGLang below it.

slime has no package that pins them: it runs in a container image that is built for each release. Where nobody says which
Megatron and SGLang are used, the ones of that image are the likely ones.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from grpolint.catalog import Table, nearest, table, versions
from grpolint.regex import regex
from grpolint.run import Version
from grpolint.world import World

__all__ = ["CHECKOUT", "below", "prefixed", "slime_release"]

CHECKOUT = "slime/utils/arguments.py"
"""The file of slime's parser, which every checkout and fork has."""

_IMAGES = {
    "0.2.0": {"sglang": "0.5.5.post1", "megatron": "0.14.0"},
    "0.2.1": {"sglang": "0.5.6", "megatron": "0.14.0"},
    "0.2.2": {"sglang": "0.5.7"},
    "0.2.3": {"sglang": "0.5.9"},
    "0.2.4": {"sglang": "0.5.9"},
    "0.3.0": {"sglang": "0.5.12.post1"},
    "0.3.1": {"sglang": "0.5.15.post1"},
}
"""Releases that `docker/Dockerfile` of each tag names. A nightly counts as the release before it; a bare commit of Megatron
as none.
"""

_SETUP = regex(r"name\s*=\s*[\"']slime[\"']\s*,\s*version\s*=\s*[\"'](\d+(?:\.\d+)+(?:\.post\d+)?)[\"']")


def slime_release(world: World) -> Version:
    """The release that somebody names, else that of a checkout around the script, else the newest. A checkout may be ahead
    of the release that it says it is.
    """
    version = world.version("slime")
    if not version.assumed or world.find(CHECKOUT) is None:
        return version
    setup = world.find("setup.py")
    found = _SETUP.search(setup.text) if setup is not None else None
    if found is None:
        return version
    return Version(nearest("slime", found[1]) or found[1], assumed=True, origin="checkout")


def below(world: World, framework: str, slime: Version, typed: Collection[str]) -> Version:
    """The release of Megatron or SGLang: what somebody names, else that of slime's image, else the newest that knows
    most of the options typed.
    """
    version = world.version(framework)
    if not version.assumed or version.origin != "newest known":
        return version
    image = _IMAGES.get(nearest("slime", slime.text) or "", {}).get(framework)
    if image is not None:
        return Version(image, assumed=True, origin=f"image of slime {slime.text}")
    best, most = version, -1
    for text in reversed(versions(framework)):
        options = table(framework, "train", text)
        known = len(_flags(options).intersection(typed)) if options is not None else 0
        if known > most:
            best, most = Version(text, assumed=True, origin=version.origin), known
        if text == version.text and known == len(_ever(framework).intersection(typed)):
            break
    return best


@lru_cache(maxsize=64)
def _flags(options: Table) -> frozenset[str]:
    keys = (options.option(key) for key in options.keys())  # noqa: SIM118 - a Table is no mapping
    return frozenset(flag for option in keys if option is not None for flag in option.record.get("flags", ()))


@lru_cache(maxsize=4)
def _ever(framework: str) -> frozenset[str]:
    """Every flag that some release has."""
    from grpolint.catalog.loader import raw

    _, records, options = raw(framework, "train")
    return frozenset(
        flag for spans in options.values() for *_, number in spans for flag in records[number].get("flags", ())
    )


@lru_cache(maxsize=8)
def prefixed(sglang: str, slime: str) -> Table | None:
    """SGLang's server options under the names that slime gives them (`sglang_dtype`, `--sglang-dtype`), without those that
    slime decides itself; None if the catalog has none.
    """
    server = table("sglang", "server", sglang)
    if server is None:
        return None
    left_out = table("slime", "sglang", slime)
    options: dict[str, list[list[int]]] = {}
    records: list[dict[str, Any]] = []
    for key in server.keys():  # noqa: SIM118 - a Table is no mapping
        option = server.option(key)
        if option is None or (left_out is not None and key in left_out):
            continue
        record = dict(option.record)
        for names in ("flags", "aliases"):
            if names in record:
                record[names] = ["--sglang-" + name.lstrip("-") for name in record[names]]
        if "stores" in record:
            record["stores"] = {"--sglang-" + name.lstrip("-"): value for name, value in record["stores"].items()}
        options["sglang_" + key] = [[0, 0, len(records)]]
        records.append(record)
    return Table("sglang", "server", server.version, 0, {"options": {"server": options}, "records": records})
