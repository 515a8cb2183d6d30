"""The keys of `additional_config` against those that vllm-ascend reads: what it does not read it ignores."""

from __future__ import annotations

from collections.abc import Iterable

from grpolint.catalog import table, versions
from grpolint.frameworks.complaining import unknown_key
from grpolint.run import Run, Setting
from grpolint.world import World

__all__ = ["check_additional"]

_NAME = "vllm-ascend"
_TABLE = "additional_config"


def check_additional(run: Run, world: World, settings: Iterable[Setting], mark: str) -> None:
    """Complain of top-level keys behind `mark` that the release in use does not read; sections check their own.

    Where the release is assumed, only of keys that no known release reads.
    """
    version = world.version(_NAME)
    releases = versions(_NAME) if version.assumed else [version.text]
    tables = [found for release in releases if (found := table(_NAME, _TABLE, release)) is not None]
    known = {key.partition(".")[0] for each in tables for key in each.keys()}  # noqa: SIM118 - a table is no mapping
    told: set[str] = set()
    for setting in settings:
        key = setting.key.partition(mark)[2].partition(".")[0]
        if not key or key in known or key in told:
            continue
        told.add(key)
        which = "no known release of it reads" if version.assumed else f"{version.text} does not read"
        unknown_key(
            run,
            _NAME,
            key,
            span=setting.span,
            detail=f"vllm-ascend ignores {key} in additional_config: {which} such a key",
            known=known,
            certain=not version.assumed,
        )
