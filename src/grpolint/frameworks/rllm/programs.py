"""Programs built on rLLM: the script, the configuration it names, and the releases that its package comes with."""

from __future__ import annotations

from pathlib import Path

from grpolint.documents.source import Source
from grpolint.frameworks.hydra.sources import ConfigSource, FolderSource, ReleaseSource
from grpolint.frameworks.verl.programs import Tree as VerlTree
from grpolint.frameworks.verl.programs import find_folder
from grpolint.records import Record
from grpolint.regex import regex
from grpolint.run import Version
from grpolint.world import World

__all__ = ["Program", "Trees", "program_of", "script_of", "verl_of"]

_RELEASED = regex(r"(?:.*[./])?rllm[./]trainer[./]verl[./]train_\w+(?:\.py)?")
_MAIN = regex(r"@hydra\.main\((?P<arguments>[^()]*)\)")
_ARGUMENT = regex(r"(config_path|config_name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_VERSION = regex(r"(?m)^version\s*=\s*[\"']([\w.]+)[\"']")
_PINNED = regex(r"[\"']verl==([\w.]+)")

_VERL = (("0.2.0", "0.5.0"), ("0.2.1", "0.6.1"), ("0.3.0rc0", "0.7.1"))
"""The release of verl that each of rLLM's is installed with, from the first that has it."""


class Program(Record):
    """A program: the primary configuration that it names and the folder it looks in (`rllm/trainer/config`, or one
    beside the script), None where they are not known; its source in the user's tree.
    """

    primary: str | None
    folder: str | None
    file: Source | None = None


def script_of(program: str, world: World) -> Source | None:
    """The source of a program in the user's tree: a path, or a dotted module."""
    path = program if program.endswith(".py") else program.replace(".", "/") + ".py"
    return world.find(path.removeprefix("./"))


def program_of(text: str, world: World) -> Program:
    """The program that a launch names."""
    if _RELEASED.fullmatch(text):
        return Program("agent_ppo_trainer", "rllm/trainer/config")
    file = script_of(text, world)
    main = _MAIN.search(file.text) if file is not None else None
    if main is None:
        return Program(None, None, file)
    given = {match[1]: match[2] or match[3] for match in _ARGUMENT.finditer(main["arguments"])}
    return Program(given.get("config_name"), given.get("config_path"), file)


def verl_of(version: str) -> str:
    """The release of verl that a release of rLLM is installed with."""
    from packaging.version import InvalidVersion
    from packaging.version import Version as Number

    found = _VERL[0][1]
    try:
        number = Number(version)
    except InvalidVersion:
        return _VERL[-1][1]
    for first, release in _VERL:
        if number >= Number(first):
            found = release
    return found


class Trees:
    """The configuration trees of rLLM and of the verl below it: those of a checkout around the script, or of releases."""

    def __init__(self, world: World, rllm: Version, verl: Version, *, checkout: bool = True) -> None:
        self.world = world
        self.rllm = rllm
        self.folder = find_folder(world, "rllm/trainer/config") if checkout and rllm.origin != "--with" else None
        if self.folder is not None and not (self.folder / "agent_ppo_trainer.yaml").is_file():
            self.folder = None
        pinned = None
        if self.folder is not None:
            project = world.file(self.folder.parents[2] / "pyproject.toml")
            said = _VERSION.search(project.text) if project is not None else None
            self.rllm = Version(_normal(said[1]) if said else rllm.text, assumed=said is None, origin="checkout")
            pinned = _PINNED.search(project.text) if project is not None else None
        if verl.assumed:
            text = pinned[1] if pinned else verl_of(self.rllm.text)
            verl = Version(text, assumed=self.rllm.assumed, origin=f"what rLLM {self.rllm.text} is installed with")
        self._verl = VerlTree(world, verl.text, checkout=checkout and verl.origin != "--with")
        if self._verl.checkout_version is not None:
            verl = Version(self._verl.checkout_version, assumed=False, origin="checkout")
            self._verl.version = verl.text
        self.verl = verl

    def named(self, path: str, near: Path | None) -> ConfigSource | None:
        """A folder that a program or a search path names, None if it is not to be found."""
        bare = path.removeprefix("file://")
        if bare.startswith("pkg://"):
            bare = bare.removeprefix("pkg://").replace(".", "/")
        at = bare.find("rllm/")
        if at >= 0 and (at == 0 or bare[at - 1] == "/"):
            return self._own(bare[at:].rstrip("/"))
        if "verl/" in bare:
            return self._verl.named(path, near)
        found = find_folder(self.world, str((near / bare).resolve()) if near is not None else bare)
        return FolderSource(self.world, found) if found is not None else None

    def _own(self, folder: str) -> ConfigSource | None:
        if self.folder is not None:
            path = self.folder.parents[2] / folder
            return FolderSource(self.world, path, ("rllm", self.rllm.text)) if path.is_dir() else None
        source = ReleaseSource("rllm", self.rllm.text, folder)
        return source if source.is_group("") or source.options("") else None


def _normal(text: str) -> str:
    from packaging.version import InvalidVersion
    from packaging.version import Version as Number

    try:
        return str(Number(text))
    except InvalidVersion:
        return text
