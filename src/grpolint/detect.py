"""Which release of a framework a launch runs with, by what stands near it.

Looked at, the strongest first: the environment of `--python`; requirement and lock files, `pip install` lines, conda and
project files in the launch's folder and in those above it up to the project's root; container images that the launch or a
Dockerfile beside it names. Only what names one release exactly counts as known; a range, `verl0.5` in the tag of an image,
or two files that contradict each other, gives a release that is marked assumed.

Nothing is read before a version is asked for, and each folder once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from grpolint.documents.source import Source
from grpolint.records import Record
from grpolint.regex import regex
from grpolint.run import Version
from grpolint.versions import satisfies

__all__ = ["NoEnvironment", "Pin", "detect", "image_pins", "installed", "requirement_pins"]

_MOST_FILES = 24
_MOST_BYTES = 4_000_000
_LONGEST_LINE = 2_000
"""No file that people write is larger than these allow."""

PACKAGES = {
    "verl": "verl",
    "trl": "trl",
    "transformers": "transformers",
    "accelerate": "accelerate",
    "peft": "peft",
    "deepspeed": "deepspeed",
    "vllm": "vllm",
    "sglang": "sglang",
    "openrlhf": "openrlhf",
    "megatron-core": "megatron",
    "ray": "ray",
    "ms-swift": "ms-swift",
    "llamafactory": "llamafactory",
    "axolotl": "axolotl",
    "vllm-ascend": "vllm-ascend",
    "nemo-rl": "nemo-rl",
    "areal": "areal",
    "rllm": "rllm",
    "slime": "slime",
    "torch": "torch",
}
"""Framework by the name of its package. Of torch only the release matters: it is no framework here."""

_NAMES = "|".join(re.escape(name).replace(r"\-", "[-_.]") for name in sorted(PACKAGES, key=len, reverse=True))
_NUMBER = r"\d+(?:\.\d+)+(?:\.?(?:post|rc|dev|a|b)\d+)*"


_REQUIREMENT = regex(
    rf"(?<![\w./@-])(?P<name>{_NAMES})(?:\[[\w, .-]*\])?[\"']?\s*"
    rf"(?:(?P<range>(?:===?|~=|!=|<=|>=|<|>)\s*[\w.*+-]+(?:\s*,\s*(?:===?|~=|!=|<=|>=|<|>)\s*[\w.*+-]+)*)"
    rf"|=\s*(?P<conda>{_NUMBER})(?![\w.*])"
    rf"|=\s*\{{?[^\n\"'=]*(?:version\s*=\s*)?[\"'](?P<poetry>[\^~]?{_NUMBER})[\"']"
    rf"|@\s*(?:git\+)?https?://\S{{1,200}}?@v?(?P<tag>{_NUMBER})(?![\w.]))",
    re.IGNORECASE,
)
"""A requirement with its bounds."""


_COMMIT = regex(
    rf"git\+(?:https?|ssh)://[\w.@:-]{{1,80}}/[\w.-]{{1,60}}/(?P<name>{_NAMES})(?:\.git)?(?:@(?P<ref>[\w./-]{{1,80}}))?(?![\w-])",
    re.IGNORECASE,
)
"""A package from its repository: some commit of it, unless the reference is the tag of a release."""


_SUBMODULE = regex(rf"^\s*url\s*=\s*\S{{1,200}}/(?P<name>{_NAMES})(?:\.git)?\s*$", re.IGNORECASE | re.MULTILINE)
"""A framework that a repository holds at some commit."""


_LOCKED = regex(rf"^name = \"(?P<name>{_NAMES})\"\r?\nversion = \"(?P<version>[^\"]+)\"", re.IGNORECASE | re.MULTILINE)


_REPOSITORIES = {
    "vllm/vllm-openai": "vllm",
    "vllm/vllm-openai-rocm": "vllm",
    "lmsysorg/sglang": "sglang",
    "areal-project/areal-runtime": "areal",
}
"""Framework whose version the tag of an image is."""

_CONTAINERS = (
    "image",
    "docker",
    "container",
    "singularity",
    "apptainer",
    "enroot",
    "podman",
    "IMAGE",
    "DOCKER",
    "CONTAINER",
)
"""Words of files that name images."""


_IMAGE = regex(
    r"(?:(?<=docker://)|(?<![\w./-]))(?P<repo>(?:[\w.-]{1,60}(?::\d{1,5})?/){0,6}"
    r"(?:[\w.-]{0,40}(?:verl|vllm|sglang|openrlhf|areal|nemo-rl)[\w.-]{0,40}|sgl-dev))"
    r":(?P<tag>[A-Za-z0-9_][\w.-]{0,127})"
)

_OWN_TAG = regex(rf"v(?P<version>{_NUMBER})(?![\d.])")
_IN_TAG = regex(
    rf"(?<![a-z])(?P<name>verl|vllm|sglang|mcore|transformers|ray|deepspeed|trl)[-_]?v?(?P<version>{_NUMBER})(?![\d.])"
)
_IN_TAG_SHORT = regex(r"(?<![a-z])vllm(?P<major>0)(?P<minor>\d\d)(?!\d)")
_IN_TAG_NAMES = {"mcore": "megatron"}


class NoEnvironment(ValueError):
    """A folder of `--python` that is no environment. `str(error)` is one sentence."""


class Pin(Record):
    """One statement about the release of a framework. `exact` names the release, otherwise `range` bounds it."""

    framework: str
    exact: str | None
    range: str
    origin: str


def detect(framework: str, main: Source, folders: Sequence[Path], python: str | None = None) -> Version | None:
    """The release that the documents near a launch name, None if nothing does.

    `main` is the launch file, `folders` are those that are looked at, the nearest first. Raises NoEnvironment if `python` is
    no environment.
    """
    if python is not None:
        version = installed(python).get(framework)
        if version is not None:
            return Version(version, False, f"--python {python}")
    own, own_images = _own(main)
    found = [_folder(str(each), _changed(each)) for each in folders]
    groups = [own, *(each.packages for each in found), own_images, *(each.images for each in found)]
    checkout = any(framework in each.checkouts for each in found)
    ranges: list[Pin] = []
    for pins in groups:
        mine = [pin for pin in pins if pin.framework == framework]
        exact = [pin for pin in mine if pin.exact is not None]
        if exact:
            return _chosen(exact, checkout)
        ranges.extend(mine)
    return _newest(framework, ranges[0]) if ranges else None


def _chosen(pins: list[Pin], checkout: bool) -> Version:
    """The release of statements of equal strength: assumed where they contradict each other, and where a checkout of the
    framework itself stands around the launch, whose sources may be what runs.
    """
    first = pins[0]
    text = first.exact or ""
    if checkout:
        return Version(text.partition(".dev")[0], True, f"{first.origin}, beside a checkout of {first.framework}")
    others = sorted({pin.exact for pin in pins if pin.exact is not None and pin.exact != text})
    if ".dev" in text:
        return Version(text.partition(".dev")[0], True, f"{first.origin} ({text})")
    if others:
        return Version(text, True, f"{first.origin}, where others say {', '.join(others)}")
    return Version(text, False, first.origin)


def _newest(framework: str, pin: Pin) -> Version | None:
    """The newest release of the catalog in a range."""
    from grpolint.catalog import versions

    known = versions(framework)
    try:
        allowed = [text for text in known if satisfies(text, pin.range)]
    except ValueError:
        return None
    if not known:
        return None
    return Version(allowed[-1] if allowed else known[0], True, f"{pin.origin}: {pin.range or 'a commit'}", pin.range)


# packages


def requirement_pins(text: str, path: str) -> list[Pin]:
    """The releases that requirement lines name, wherever they stand: requirements, project files, `pip install`."""
    found: list[Pin] = []
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            continue
        for match in _REQUIREMENT.finditer(line):
            if "#" not in line[: match.start()]:
                found.extend(_pin(PACKAGES[_normal(match["name"])], match, f"{path}:{number}"))
        if "git+" in line:
            found.extend(_commits(line, f"{path}:{number}"))
    return found


def _commits(line: str, origin: str) -> Iterator[Pin]:
    """The packages that a line takes from their repositories: a tag of a release, or some commit."""
    for match in _COMMIT.finditer(line):
        if "#" not in line[: match.start()]:
            tag = re.fullmatch(rf"v?({_NUMBER})", match["ref"] or "")
            yield Pin(PACKAGES[_normal(match["name"])], tag[1] if tag is not None else None, "", origin)


def _pin(framework: str, match: re.Match[str], origin: str) -> list[Pin]:
    bounds, poetry = match["range"], match["poetry"]
    exact = match["conda"] or match["tag"]
    if poetry is not None:
        if poetry[0] not in "^~":
            exact = poetry
        else:
            bounds = _caret(poetry)
    if bounds is not None:
        bounds = re.sub(r"\s+", "", bounds)
        one = re.fullmatch(rf"===?v?({_NUMBER})(?:\+[\w.]+)?", bounds, re.IGNORECASE)
        exact = one[1] if one is not None else None
        if one is None and re.search(r"[^=]==|[a-z]{4}", bounds.replace("post", "").replace(".dev", "")):
            return []
    return [Pin(framework, exact, "" if exact else bounds or "", origin)]


def _caret(text: str) -> str:
    """A range of Poetry as one of PEP 440: `^0.8.2` is `>=0.8.2,<0.9`, `~1.2` is `>=1.2,<1.3`."""
    numbers = text[1:].split(".")
    at = 1 if text[0] == "~" else next((i for i, each in enumerate(numbers) if each != "0"), len(numbers) - 1)
    upper = [*numbers[:at], str(int(re.match(r"\d+", numbers[at])[0]) + 1)] if at < len(numbers) else numbers  # type: ignore[index]
    return f">={text[1:]},<{'.'.join(upper)}"


def _locked_pins(text: str, path: str) -> list[Pin]:
    """The releases that a lock file of uv, Poetry or PDM names."""
    return [
        Pin(
            PACKAGES[_normal(match["name"])],
            match["version"].partition("+")[0],
            "",
            f"{path}:{text.count(chr(10), 0, match.start()) + 2}",
        )
        for match in _LOCKED.finditer(text)
    ]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# images


def image_pins(text: str, path: str) -> list[Pin]:
    """The releases that the tags of container images name, comments left out."""
    found: list[Pin] = []
    for number, line in enumerate(text.splitlines(), 1):
        if ":" not in line or len(line) > _LONGEST_LINE:
            continue
        if line.lstrip().startswith("#") and not line.startswith("#SBATCH"):
            continue
        for match in _IMAGE.finditer(line):
            found.extend(_tag_pins(match["repo"], match["tag"], f"{path}:{number}"))
    return found


def _tag_pins(repository: str, tag: str, origin: str) -> list[Pin]:
    pins: list[Pin] = []
    name = "/".join(repository.split("/")[-2:])
    own = _REPOSITORIES.get(name)
    lead = _OWN_TAG.match(tag)
    if own is not None and lead is not None:
        pins.append(Pin(own, lead["version"], "", origin))
    for match in _IN_TAG.finditer(tag):
        framework = _IN_TAG_NAMES.get(match["name"], match["name"])
        version = match["version"]
        whole = version.count(".") >= 2
        pins.append(Pin(framework, version if whole else None, "" if whole else f"=={version}.*", origin))
    short = _IN_TAG_SHORT.search(tag)
    if short is not None:
        pins.append(Pin("vllm", None, f"==0.{int(short['minor'])}.*", origin))
    return [pin for pin in pins if _plausible(pin)]


def _plausible(pin: Pin) -> bool:
    """Whether the catalog's releases of the framework reach down to a number: `verl:v0.0.5` counts images."""
    return pin.exact is None or not pin.exact.startswith("0.0.")


# folders

_ENTRIES = {"megatron": "core/__init__.py"}
"""File that every checkout of a framework has in its package, where it is not the usual one."""

_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
_REQUIREMENT_FILE = regex(
    r"(?:.*requirements?.*|constraints?|.*freeze.*|packages)\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile"
    r"|(?:.*conda.*|environment.*|env)\.ya?ml",
    re.IGNORECASE,
)
_DOCKER_FILE = regex(r"(?:Docker|Container)file.*|.*\.[Dd]ockerfile|.*\.def")


@lru_cache(maxsize=4)
def _own(main: Source) -> tuple[list[Pin], list[Pin]]:
    """What the launch file itself says: the lines that install packages, and images."""
    text = main.text
    packages: list[Pin] = []
    if "pip" in text or "uv add" in text:
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"\bpip3? install\b|\buv add\b", line) and not line.lstrip().startswith("#"):
                packages.extend(
                    Pin(pin.framework, pin.exact, pin.range, f"{main.path}:{number}")
                    for pin in requirement_pins(line, main.path)
                )
    images = image_pins(text, main.path) if any(word in text for word in _CONTAINERS) else []
    return packages, images


def _changed(folder: Path) -> int:
    """When files last came to a folder or left it; 0 where that is not known."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


class _Folder(Record):
    """What one folder says: packages of its files, images of its Dockerfiles, frameworks whose sources stand in it."""

    packages: list[Pin]
    images: list[Pin]
    checkouts: frozenset[str]


@lru_cache(maxsize=256)
def _folder(folder: str, _changed: int) -> _Folder:
    """What the files of one folder say. Lock files come before `requirements.txt`, that before its variants, then the rest."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name[0] != "." and entry.is_file())
    except OSError:
        return _Folder([], [], frozenset())
    packages: list[list[Pin]] = [[], [], [], []]
    images: list[Pin] = []
    nested = os.path.join(folder, "requirements")
    chosen = [
        name for name in names if name in _LOCKS or _REQUIREMENT_FILE.fullmatch(name) or _DOCKER_FILE.fullmatch(name)
    ]
    if os.path.isdir(nested):
        chosen.extend("requirements/" + name for name in sorted(os.listdir(nested)) if name.endswith(".txt"))
    submodules = _text(os.path.join(folder, ".gitmodules"))
    packages[3].extend(
        Pin(PACKAGES[_normal(match["name"])], None, "", ".gitmodules") for match in _SUBMODULE.finditer(submodules)
    )
    for name in chosen[:_MOST_FILES]:
        path = os.path.join(folder, name)
        text = _text(path)
        shown = os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path
        if name in _LOCKS:
            packages[0].extend(_locked_pins(text, shown))
        elif _DOCKER_FILE.fullmatch(name):
            images.extend(requirement_pins(text, shown))
            images.extend(image_pins(text, shown))
        else:
            rank = 1 if name == "requirements.txt" else 2 if name.endswith(".txt") else 3
            packages[rank].extend(requirement_pins(text, shown))
    return _Folder(_strongest(packages), images, _checkouts(folder))


def _checkouts(folder: str) -> frozenset[str]:
    """The frameworks whose package stands in a folder, or below `src` or `python` in it."""
    return frozenset(
        framework
        for framework in PACKAGES.values()
        for place in ("", "src", "python")
        if os.path.isfile(os.path.join(folder, place, framework, _ENTRIES.get(framework, "__init__.py")))
    )


def _strongest(ranked: list[list[Pin]]) -> list[Pin]:
    """Of each framework the statements of the strongest kind of file that has an exact one, and all ranges."""
    decided: dict[str, int] = {}
    for rank, pins in enumerate(ranked):
        for pin in pins:
            if pin.exact is not None:
                decided.setdefault(pin.framework, rank)
    return [
        pin for rank, pins in enumerate(ranked) for pin in pins if pin.exact is None or decided[pin.framework] == rank
    ]


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        return ""
    return data.decode("utf-8", "replace") if len(data) <= _MOST_BYTES else ""


# environments


@lru_cache(maxsize=8)
def installed(environment: str) -> dict[str, str]:
    """Release of each framework installed in an environment: its folder, its interpreter or its site-packages.

    Only names of folders are read. Raises NoEnvironment where no package is found.
    """
    start = Path(environment).expanduser()
    if start.is_file() or start.name.startswith("python"):
        start = start.parent.parent  # the interpreter in bin; a link is not followed, it leads out of the environment
    places = [start, *sorted(start.glob("lib*/python3*/site-packages")), start / "Lib" / "site-packages"]
    found: dict[str, str] = {}
    some = False
    for place in places:
        try:
            names = os.listdir(place)
        except OSError:
            continue
        for name in sorted(names):
            match = re.fullmatch(r"(.+?)-([^-]+?)(?:-py[\d.]+)?\.(?:dist-info|egg-info)", name)
            if match is not None:
                some = True
                framework = PACKAGES.get(_normal(match[1]))
                if framework is not None:
                    found[framework] = match[2].partition("+")[0]
    if not some:
        raise NoEnvironment(f"{environment} is no environment: it has no installed packages")
    return found
