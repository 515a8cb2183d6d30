"""What must hold in the evidence beyond the types of its fields.

Each linter takes entries as `schema.load` gives them and yields faults, one sentence each that names file and entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from grpolint import catalog
from grpolint.evidence import GRADES
from grpolint.evidence.references import NUMBER, Reference, package_of, read
from grpolint.facts import FACTS
from grpolint.rules.api import Evidence, Rule

__all__ = ["SETTLED", "faults"]

Entries = list[dict[str, Any]]

STATES = {
    "issue": ("open", "closed"),
    "pull": ("open", "closed", "merged"),
    "source": ("released",),
    "page": ("published",),
    "experiment": ("repeatable",),
}
"""The states that each kind of thread can have."""

SETTLED = ("merged", "closed", "open", "fixed", "feature", "not-found")
"""The states of a cell of the matrix."""

OTHERS = ("torch", "emerging-optimizers", "environment")
"""What evidence concerns beyond the frameworks that the catalog knows."""


@lru_cache(maxsize=1)
def _packages() -> frozenset[str]:
    """Everything that evidence can concern."""
    return frozenset({*catalog.frameworks(), *OTHERS})


def faults(sources: Mapping[str, Entries], rules: Iterable[Rule], today: str) -> list[str]:
    """All that is wrong. `rules` are grpolint's own, `today` an ISO date."""
    threads, handbook = sources["threads"], sources["handbook"]
    # The handbook's own rules take their evidence from here.
    rules = [rule for rule in rules if rule.policy != "handbook"]
    cited = {each.ref for rule in rules for each in rule.evidence} | {entry["ref"] for entry in sources["reports"]}
    return [
        *_repeated(sources),
        *_threads(threads, today),
        *_reports(sources["reports"], threads, today),
        *_releases(threads),
        *_handbook(handbook, threads),
        *_patterns(sources["patterns"], handbook, threads),
        *_cells(sources["cells"], sources["patterns"], threads),
        *_diagnoses(sources["causes"], sources["symptoms"], cited | {entry["ref"] for entry in threads}, rules),
        *_headers(rules, threads),
    ]


def _label(name: str, entry: Mapping[str, Any]) -> str:
    return f"evidence/{name}.yaml: {entry.get('ref') or entry.get('id') or entry.get('name')}"


def _repeated(sources: Mapping[str, Entries]) -> Iterator[str]:
    """Every entry has a name of its own; cells share refs."""
    for name, entries in sources.items():
        if name == "cells":
            continue
        seen = set()
        for entry in entries:
            key = str(entry.get("ref") or entry.get("id") or entry.get("name")).lower()
            if key in seen:
                yield f"{_label(name, entry)}: it stands twice"
            seen.add(key)


def _threads(threads: Entries, today: str) -> Iterator[str]:
    for entry in threads:
        label = _label("threads", entry)
        kind, reference = entry["kind"], read(entry["ref"])
        if reference is None:
            yield f"{label}: the ref is neither owner/repo#number nor `package version: file` nor `name: title`"
            continue
        if kind not in STATES:
            yield f"{label}: kind {kind!r} is none of {', '.join(STATES)}"
            continue
        wanted = "thread" if kind in ("issue", "pull") else kind
        if reference.kind != wanted:
            yield f"{label}: the ref is that of a {reference.kind}, the kind says {kind}"
        if entry["state"] not in STATES[kind]:
            yield f"{label}: state {entry['state']!r} is none of {', '.join(STATES[kind])}"
        if entry["grade"] not in GRADES:
            yield f"{label}: grade {entry['grade']!r} is none of {', '.join(GRADES)}"
        if not entry["says"]:
            yield f"{label}: it does not say what the thread says"
        yield from (f"{label}: {fault}" for fault in _concerned(entry))
        if kind != "experiment" and not entry.get("frameworks"):
            yield f"{label}: it names no framework"
        yield from (f"{label}: {fault}" for fault in _link(entry["url"], reference, kind))
        yield from (f"{label}: {fault}" for fault in _date(entry.get("checked", ""), today))


def _reports(reports: Entries, threads: Entries, today: str) -> Iterator[str]:
    known = {entry["ref"].lower() for entry in threads}
    for entry in reports:
        label = _label("reports", entry)
        reference = read(entry["ref"])
        if reference is None or reference.kind != "thread":
            yield f"{label}: the ref is not owner/repo#number"
        if entry["ref"].lower() in known:
            yield f"{label}: threads.yaml has it too"
        if entry["grade"] not in GRADES:
            yield f"{label}: grade {entry['grade']!r} is none of {', '.join(GRADES)}"
        yield from (f"{label}: {fault}" for fault in _concerned(entry))
        yield from (f"{label}: {fault}" for fault in _date(entry["checked"], today))


def _concerned(entry: Mapping[str, Any]) -> Iterator[str]:
    for word in entry.get("frameworks", ()):
        if word not in _packages():
            yield f"framework {word!r} is not known"


def _link(url: str, reference: Reference, kind: str = "") -> Iterator[str]:
    """Whether the link is well-formed and leads where the ref says. `kind` is issue or pull where that is known."""
    if reference.kind == "experiment":
        from importlib.util import find_spec

        if url:
            yield "an experiment has no link"
        if find_spec(f"grpolint.lab.{reference.file}") is None:
            yield f"there is no `grpolint lab {reference.file}`"
        return
    scheme, _, rest = url.partition("://")
    host = rest.partition("/")[0]
    if scheme != "https" or "." not in host or any(c.isspace() or c in "<>\"'`{}|\\^" for c in url):
        yield f"{url!r} is no well-formed link"
    elif reference.kind == "thread":
        places = {"issue": ("issues",), "pull": ("pull",)}.get(kind, ("issues", "pull"))
        right = [f"https://github.com/{reference.repository}/{place}/{reference.number}" for place in places]
        if url not in right:
            yield f"the link is {url}, not {' or '.join(right)}"
    elif reference.kind == "source":
        path = url.partition("#")[0]
        if not path.endswith(f"/{reference.file}"):
            yield f"the link {url} does not end with {reference.file}"
        if reference.version not in path:
            yield f"the link {url} is not to release {reference.version}"


def _date(text: str, today: str) -> Iterator[str]:
    from datetime import date

    try:
        written = date.fromisoformat(text)
    except ValueError:
        yield f"checked {text!r} is no date such as 2026-12-01"
        return
    if written.isoformat() != text:
        yield f"checked {text!r} is no date such as 2026-12-01"
    elif written > date.fromisoformat(today):
        yield f"checked {text} lies in the future"


def _release(package: str, version: str) -> Iterator[str]:
    """Whether a package has that release, as far as the catalog knows the package."""
    try:
        written = Version(version)
    except InvalidVersion:
        yield f"{version!r} is no version of {package}"
        return
    known = catalog.versions(package)
    # The catalog does not reach back to the first release of every package, and has few candidates of releases.
    candidate = written.is_prerelease and written.base_version in known
    if known and version not in known and written >= Version(known[0]) and not candidate:
        yield f"{version} is no release of {package} that the catalog knows"


def _releases(threads: Entries) -> Iterator[str]:
    for entry in threads:
        label = _label("threads", entry)
        introduced, fixed = entry.get("introduced", {}), entry.get("fixed", {})
        for word, versions in (("introduced", introduced), ("fixed", fixed)):
            for package, version in versions.items():
                if package not in _packages():
                    yield f"{label}: {word}: package {package!r} is not known"
                else:
                    yield from (f"{label}: {word}: {fault}" for fault in _release(package, version))
        for package in introduced.keys() & fixed.keys():
            if _at_or_after(introduced[package], fixed[package]):
                yield f"{label}: {package} {fixed[package]} cannot repair what came with {introduced[package]}"
        reference = read(entry["ref"])
        if reference is not None and reference.kind == "source":
            yield from (f"{label}: {fault}" for fault in _release(package_of(reference), reference.version))


def _at_or_after(version: str, other: str) -> bool:
    try:
        return Version(version) >= Version(other)
    except InvalidVersion:  # told already
        return False


def _unknown(refs: Iterable[str], threads: Entries) -> Iterator[str]:
    known = {entry["ref"] for entry in threads}
    yield from (f"ref {ref!r} is not in threads.yaml" for ref in refs if ref not in known)


def _uncited(refs: Iterable[str], known: set[str]) -> Iterator[str]:
    yield from (f"ref {ref!r} is neither in threads.yaml nor in reports.yaml" for ref in refs if ref not in known)


def _handbook(handbook: Entries, threads: Entries) -> Iterator[str]:
    by_id = {entry["id"]: entry for entry in handbook}
    numbers = {number for entry in threads if (number := _number(entry["ref"])) is not None}
    wanted = [f"D{number:02}" for number in range(1, 20)] + [f"N{number:02}" for number in range(1, 18)]
    if [entry["id"] for entry in handbook] != wanted:
        yield "evidence/handbook.yaml: the rules are not D01 to D19 and N01 to N17 in this order"
    for entry in handbook:
        label = _label("handbook", entry)
        if entry["kind"] != ("do" if entry["id"].startswith("D") else "dont"):
            yield f"{label}: kind {entry['kind']!r} does not go with the id"
        if entry["grade"] not in GRADES:
            yield f"{label}: grade {entry['grade']!r} is none of {', '.join(GRADES)}"
        yield from (f"{label}: {fault}" for fault in _unknown(entry["refs"], threads))
        for other in entry.get("same_as", ()):
            if other not in by_id:
                yield f"{label}: same_as names {other!r}, which is no rule of the handbook"
            elif entry["id"] not in by_id[other].get("same_as", ()):
                yield f"{label}: same_as names {other}, but {other} does not name it"
        for framework in entry.get("options", {}):
            if framework not in _packages():
                yield f"{label}: options: framework {framework!r} is not known"
        for bug in entry["bugs"]:
            number = _bare(bug)
            if number is None:
                if f'"{bug}"' not in entry["notes"]:
                    yield f"{label}: bug {bug!r} is no thread, and the notes do not explain it"
            elif number not in {_number(ref) for ref in entry["refs"]} and f"{bug} " not in entry["notes"]:
                yield f"{label}: no ref is {bug}, and the notes do not explain it"
        for key in ("corrected", "condition", "edit", "notes"):
            for number in map(int, NUMBER.findall(entry[key])):
                if number not in numbers:
                    yield f"{label}: {key}: #{number} is the number of no known thread"


def _bare(bug: str) -> int | None:
    found = NUMBER.fullmatch(bug)
    return int(found[1]) if found else None


def _number(ref: str) -> int | None:
    reference = read(ref)
    return reference.number if reference is not None and reference.kind == "thread" else None


def _patterns(patterns: Entries, handbook: Entries, threads: Entries) -> Iterator[str]:
    ids = {entry["id"] for entry in handbook}
    for entry in patterns:
        label = _label("patterns", entry)
        yield from (
            f"{label}: stated {each!r} is no rule of the handbook" for each in entry["stated"] if each not in ids
        )
        yield from (f"{label}: {fault}" for fault in _unknown(entry.get("refs", ()), threads))


def _cells(cells: Entries, patterns: Entries, threads: Entries) -> Iterator[str]:
    names = {entry["name"] for entry in patterns}
    known = {entry["ref"] for entry in threads}
    repositories = {reference.repository for ref in known if (reference := read(ref)) is not None}
    for entry in cells:
        label = f"evidence/cells.yaml: {entry['pattern']}, {entry['column']}, {entry['printed'] or entry['ref']}"
        if entry["pattern"] not in names:
            yield f"{label}: pattern {entry['pattern']!r} is not in patterns.yaml"
        reference = read(entry["ref"])
        if reference is None or reference.kind != "thread":
            yield f"{label}: ref {entry['ref']!r} is not owner/repo#number"
            continue
        if entry["printed"] and _bare(entry["printed"]) != reference.number:
            yield f"{label}: {entry['printed']!r} is printed, but the ref is {entry['ref']}"
        state = entry.get("state", "")
        if state and state not in SETTLED:
            yield f"{label}: state {state!r} is none of {', '.join(SETTLED)}"
        if state == "not-found":
            if entry["ref"] in known or reference.repository not in repositories:
                yield f"{label}: not-found is for a number that threads.yaml lacks, in a repository that it knows"
        else:
            yield from (f"{label}: {fault}" for fault in _unknown([entry["ref"]], threads))


def _diagnoses(causes: Entries, symptoms: Entries, known: set[str], rules: Iterable[Rule]) -> Iterator[str]:
    ids, numbers = {entry["id"] for entry in causes}, {rule.id for rule in rules}
    for entry in causes:
        label = _label("causes", entry)
        if entry["grade"] not in GRADES:
            yield f"{label}: grade {entry['grade']!r} is none of {', '.join(GRADES)}"
        yield from (f"{label}: {fault}" for fault in _uncited(entry.get("refs", ()), known))
        yield from (f"{label}: there is no rule {each}" for each in entry.get("rules", ()) if each not in numbers)
        yield from (f"{label}: needs: there is no fact {each}" for each in entry.get("needs", ()) if each not in FACTS)
    for entry in symptoms:
        label = _label("symptoms", entry)
        yield from (f"{label}: cause {each!r} is not in causes.yaml" for each in entry["causes"] if each not in ids)
        yield from (f"{label}: the weight of {each} is not above 0 and up to 1" for each in _outside(entry["causes"]))
        if sum(entry["causes"].values()) > 1 + 1e-9:
            yield f"{label}: the shares of its causes sum to {sum(entry['causes'].values()):.2f}, above 1"
        near = entry.get("near", "")
        if near and not any(other["id"] == near and other.get("pattern") for other in symptoms):
            yield f"{label}: near names {near!r}, which is no symptom with a pattern"


def _outside(weights: Mapping[str, float]) -> Iterator[str]:
    yield from (name for name, weight in weights.items() if not 0 < weight <= 1)


def _headers(rules: Iterable[Rule], threads: Entries) -> Iterator[str]:
    links = {entry["ref"]: entry["url"] for entry in threads}
    for rule in rules:
        for each in rule.evidence:
            yield from (f"rule {rule.id}: {each.ref}: {fault}" for fault in _header(each, links))


def _header(each: Evidence, links: dict[str, str]) -> Iterator[str]:
    reference = read(each.ref)
    if reference is None:
        yield "the ref is neither owner/repo#number nor `package version: file` nor `name: title`"
        return
    if each.grade not in GRADES:
        yield f"grade {each.grade!r} is none of {', '.join(GRADES)}"
    yield from _link(each.url, reference)
    if reference.kind == "source":
        yield from _release(package_of(reference), reference.version)
    known = links.setdefault(each.ref, each.url)
    if known.partition("#")[0] != each.url.partition("#")[0]:
        yield f"the link is {each.url}, elsewhere it is {known}"
