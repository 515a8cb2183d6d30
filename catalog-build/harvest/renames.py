"""Compiles the reviewed list of renamed options, `catalog-build/renames.yaml`, into `data/renames.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from packaging.version import Version

from harvest.encode import decode, read
from harvest.records import canonical

__all__ = ["SOURCE", "check", "compile_renames", "load"]

SOURCE = Path(__file__).parents[1] / "renames.yaml"


def load(path: Path = SOURCE) -> dict[str, list[dict[str, Any]]]:
    """The reviewed entries by framework: `version` (first release with the new names), `table`, `names` (old to new)."""
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def check(renames: dict[str, list[dict[str, Any]]], folder: Path) -> list[str]:
    """One sentence for each rename that the harvested releases contradict.

    The old name must have existed before the version and the new ones must exist at it; a new name of null means that
    the option went without a successor. TRL's classes inherit what transformers has.
    """
    found = []
    data = read("transformers", folder)
    inherited = (
        {key for release in decode(data).values() for key in release["tables"]["TrainingArguments"]} if data else set()
    )
    for framework, entries in renames.items():
        data = read(framework, folder)
        releases = decode(data) if data else {}
        for entry in entries:
            version, table = str(entry["version"]), entry["table"]
            if version not in releases:
                found.append(f"{framework}: {version} is not in the data")
                continue
            earlier = [item for item in releases if Version(item) < Version(version)]
            old = {key for item in earlier for key in releases[item]["tables"].get(table, {})}
            new = releases[version]["tables"].get(table, {}).keys() | (inherited if framework == "trl" else set())
            for before, after in entry["names"].items():
                if before not in old:
                    found.append(f"{framework} {version}: {table} never had {before}")
                successors = after if isinstance(after, list) else [after]
                found.extend(
                    f"{framework} {version}: {table} has no {name}" for name in successors if name not in {*new, None}
                )
    return found


def compile_renames(folder: Path) -> None:
    """Writes `renames.json`: by framework, entries of `version`, `table` and `names` as `load` gives them."""
    if not SOURCE.is_file():
        return
    renames = load()
    blocks = []
    for framework in sorted(renames):
        rows = ",\n".join(
            canonical({"version": str(entry["version"]), "table": entry["table"], "names": entry["names"]})
            for entry in sorted(renames[framework], key=lambda entry: (Version(str(entry["version"])), entry["table"]))
        )
        blocks.append(f"{canonical(framework)}:[\n{rows}\n]")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "renames.json").write_text("{\n" + ",\n".join(blocks) + "\n}\n", encoding="utf-8")
