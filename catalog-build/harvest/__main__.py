"""`python -m harvest [framework ...] [--newest]`: reads releases and writes the catalog's data files."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from harvest.adapters import Adapter, adapter, names
from harvest.checks import losses, reviewed
from harvest.encode import decode, encode, read, write
from harvest.fetch import Fetcher
from harvest.index import Artefact
from harvest.records import Release, canonical
from harvest.renames import compile_renames
from harvest.report import between_releases, between_states

DATA = Path(__file__).parents[2] / "src" / "grpolint" / "catalog" / "data"


def _harvest(name: str, arguments: argparse.Namespace) -> int:
    """One framework; the number of complaints."""
    began = time.monotonic()
    chosen = adapter(name)
    present = read(name, arguments.data)
    before = decode(present) if present else {}
    releases: dict[str, Release] = {}
    with Fetcher(chosen) as fetcher:
        artefacts = fetcher.releases()
        if arguments.newest:
            artefacts = artefacts[-1:]
            releases = dict(before)
        for artefact in artefacts:
            tree = fetcher.tree(artefact)
            releases[artefact.version] = chosen.harvest(tree, artefact.version)
            for path in tree.unparsed:
                print(f"{name} {artefact.version}: cannot parse {path}", file=sys.stderr)
    complaints = losses(name, releases, reviewed())
    for line in complaints:
        print(line, file=sys.stderr)
    if complaints and not arguments.force:
        print(f"{name}: not written; explain the losses in reviewed.yaml or mend the adapter", file=sys.stderr)
        return len(complaints)
    data = encode(name, releases)
    write(data, arguments.data)
    _manifest(arguments.data / "manifest.json", chosen, data["versions"], artefacts)
    if arguments.report:
        print("\n".join(between_states(before, releases)))
    newest = releases[data["versions"][-1]]
    print(
        f"{name}: {len(releases)} releases to {data['versions'][-1]}, {len(data['records'])} records, newest has "
        f"{ {table: len(options) for table, options in newest['tables'].items()} } and {len(newest['files'])} files; "
        f"{time.monotonic() - began:.1f} s"
    )
    return 0


def _manifest(path: Path, chosen: Adapter, versions: list[str], artefacts: list[Artefact]) -> None:
    """Enters where one framework's data came from, keeping what is known of other releases and frameworks."""
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found: dict[str, Any] = dict(manifest.get(chosen.name, {}).get("releases", {}))
    for artefact in artefacts:
        found[artefact.version] = {"released": artefact.released, "file": artefact.filename, "hash": artefact.sha256}
        if artefact.yanked:
            found[artefact.version]["yanked"] = True
    manifest[chosen.name] = {
        "package": chosen.package or f"git:{chosen.git}",
        "licence": chosen.licence,
        "releases": {version: found[version] for version in versions if version in found},
    }
    blocks = []
    for framework in sorted(manifest):
        item = manifest[framework]
        rows = ",\n".join(f"  {canonical(key)}:{canonical(value)}" for key, value in item["releases"].items())
        blocks.append(
            f'{canonical(framework)}:{{"package":{canonical(item["package"])},"licence":{canonical(item["licence"])},'
            f'"releases":{{\n{rows}\n}}}}'
        )
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n", encoding="utf-8")


def _compare(name: str, old: str, new: str, folder: Path) -> int:
    """Prints what changed between two releases in the data."""
    data = read(name, folder)
    releases = decode(data) if data else {}
    missing = [version for version in (old, new) if version not in releases]
    if missing:
        print(f"{name}: {', '.join(missing)} not in the data", file=sys.stderr)
        return 1
    print("\n".join(between_releases(releases[old], releases[new])))
    return 0


def main(argv: list[str] | None = None) -> int:
    """Exit status 0, or 1 if a framework failed its checks."""
    parser = argparse.ArgumentParser(prog="python -m harvest", description=__doc__)
    parser.add_argument("frameworks", nargs="*", metavar="framework", help=f"default all: {', '.join(names())}")
    parser.add_argument("--newest", action="store_true", help="only the newest release, added to the data there is")
    parser.add_argument("--report", action="store_true", help="print what differs from the data there is")
    parser.add_argument("--force", action="store_true", help="write although a release lost options")
    parser.add_argument(
        "--diff", nargs=2, metavar=("OLD", "NEW"), help="compare two releases in the data, read nothing"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data files")
    arguments = parser.parse_args(argv)
    if arguments.diff:
        return max(
            _compare(name, arguments.diff[0], arguments.diff[1], arguments.data) for name in arguments.frameworks
        )
    complaints = sum(_harvest(name, arguments) for name in arguments.frameworks or names())
    compile_renames(arguments.data)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
