"""Guards against a harvest that silently reads less than the release has, as after a change of its layout."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import yaml
from packaging.version import Version

from harvest.records import Release

__all__ = ["Reviewed", "losses", "reviewed"]

Reviewed = set[tuple[str, str, str]]

_SHARE = 0.10
_SMALL = 10  # options; a smaller table may lose one or two without a word


def reviewed(path: Path | None = None) -> Reviewed:
    """Framework, version and table of the losses that a person has read and found real.

    Raises ValueError for an entry without a reason.
    """
    source = path or Path(__file__).with_name("reviewed.yaml")
    entries = yaml.safe_load(source.read_text(encoding="utf-8")) or []
    for entry in entries:
        if not str(entry.get("reason") or "").strip():
            raise ValueError(f"{source.name}: {entry} has no reason")
    return {(entry["framework"], str(entry["version"]), table) for entry in entries for table in entry["tables"]}


def losses(framework: str, releases: Mapping[str, Release], known: Reviewed) -> list[str]:
    """One sentence for each table of a release that lost more than 10% of the previous release's options."""
    found = []
    versions = sorted(releases, key=Version)
    for before, after in itertools.pairwise(versions):
        for table, old in releases[before]["tables"].items():
            new = releases[after]["tables"].get(table, {})
            lost = sorted(old.keys() - new.keys())
            if len(old) >= _SMALL and len(lost) > _SHARE * len(old) and (framework, after, table) not in known:
                shown = ", ".join(lost[:8]) + (" ..." if len(lost) > 8 else "")
                found.append(
                    f"{framework} {after}: table {table} lost {len(lost)} of {len(old)} options of {before} ({shown})"
                )
    return found
