"""Programs built on verl: which primary configuration each uses, and in which folders it looks for it."""

from __future__ import annotations

import re
from pathlib import Path

from grpolint.documents.source import Source
from grpolint.frameworks.hydra.sources import ConfigSource, FolderSource, ReleaseSource
from grpolint.launch import Word
from grpolint.records import Record
from grpolint.regex import regex
from grpolint.world import World

__all__ = ["Program", "Tree", "find_folder", "program_of", "text_of"]

TRAINER = "verl/trainer/config"
"""verl's own configuration folder, as programs and search paths name it."""

_PRIMARIES = {
    "verl.trainer.main_ppo": "ppo_trainer",
    "verl.trainer.main_ppo_sync": "ppo_trainer",
    "verl.trainer.main_ppo_async": "ppo_trainer",
    "verl.trainer.main_generation_server": "ppo_trainer",
    "verl.trainer.main_generation": "generation",
    "verl.trainer.main_eval": "evaluation",
    "verl.trainer.fsdp_sft_trainer": "sft_trainer",
    "verl.trainer.sft_trainer": "sft_trainer_engine",
    "verl.trainer.sft_trainer_ray": "sft_trainer_engine",
    "verl.experimental.fully_async_policy.fully_async_main": "fully_async_ppo_trainer",
    "verl.experimental.one_step_off_policy.main_ppo": "one_step_off_ppo_trainer",
    "verl.experimental.vla.main_ppo": "rob_ppo_trainer",
    "verl.experimental.vla.main_sac": "rob_sac_trainer",
}
"""Primary configuration of the programs that are released, in `config` beside each."""

_SECTION = regex(r"^([A-Za-z_]\w*)[ \t]*:", re.MULTILINE)
_MAIN = regex(r"@hydra\.main\((?P<arguments>[^()]*)\)")
_ARGUMENT = regex(r"(config_path|config_name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


class Program(Record):
    """A program: dotted module, folder it stands in (with `/`), and the primary configuration that it names.

    `primary` and `config` are None where they are not known. `config` is relative to the folder. `released` says that
    the program is part of the package, `file` is its source in the user's tree.
    """

    module: str
    folder: str
    primary: str | None
    config: str | None
    released: bool
    file: Source | None = None


def program_of(text: str, world: World) -> Program:
    """The program that a launch names, by its released name or by the `hydra.main` of its file in the tree."""
    path = text if text.endswith(".py") else text.replace(".", "/") + ".py"
    path = path.removeprefix("./")
    module = path.removesuffix(".py").replace("/", ".")
    for name in _PRIMARIES:
        if module == name or module.endswith("." + name):
            module = name
            path = name.replace(".", "/") + ".py"
    folder = path.rpartition("/")[0]
    file = world.find(path) or _nested_file(world, path)
    primary, config = _PRIMARIES.get(module), "config" if module in _PRIMARIES else None
    main = _MAIN.search(file.text) if file is not None else None
    if main is not None:
        given = {match[1]: match[2] or match[3] for match in _ARGUMENT.finditer(main["arguments"])}
        primary, config = given.get("config_name", primary), given.get("config_path", config)
    return Program(module, folder, primary, config, module in _PRIMARIES, file)


def text_of(word: Word | None) -> str | None:
    """A path as far as it is known: the text, or what follows the last unknown part; None for a missing word.

    An unknown at the end leaves nothing: then the result is empty.
    """
    if word is None:
        return None
    if word.text is not None:
        return word.text
    return word.parts[-1].text or ""


def find_folder(world: World, path: str, near: Path | None = None) -> Path | None:
    """A folder below the project's root: from `near`, from the folders above the document, or by its longest suffix."""
    if not path or "\0" in path or len(path) > 4096:
        return None
    wanted = Path(path)
    bases = [*([near] if near is not None else []), *world.places, *_nested(world)]
    steps = [step for step in wanted.parts if step not in ("/", ".", "..")]
    candidates = [] if wanted.is_absolute() else [base / wanted for base in bases]
    if wanted.is_absolute():
        candidates.append(wanted)
        candidates.extend(world.root.joinpath(*steps[cut:]) for cut in range(len(steps)))
    for candidate in candidates:
        try:
            resolved = candidate.resolve()
            if resolved.is_dir() and resolved.is_relative_to(world.root):
                return resolved
        except (OSError, RuntimeError, ValueError):
            continue
    return None


def _nested(world: World) -> list[Path]:
    """Checkouts of verl in a folder of that name beside the script or above it, as a submodule has it."""
    return [folder / "verl" for folder in world.places if (folder / "verl" / TRAINER).is_dir()]


def _nested_file(world: World, path: str) -> Source | None:
    return next(filter(None, (world.file(folder / path) for folder in _nested(world))), None)


class Tree:
    """verl's own configuration tree: that of a checkout around the script, else that of a release.

    A checkout counts only where nobody names the release (`--with`).
    """

    def __init__(self, world: World, version: str, *, checkout: bool) -> None:
        self.world = world
        self.version = version
        self.folder = find_folder(world, TRAINER) if checkout else None
        if self.folder is not None and not (self.folder / "ppo_trainer.yaml").is_file():
            self.folder = None

    @property
    def checkout_version(self) -> str | None:
        """The version that a checkout says it is, None without one."""
        if self.folder is None:
            return None
        source = self.world.file(self.folder.parents[1] / "version" / "version")
        return source.text.strip() if source is not None else None

    @property
    def own_section(self) -> str | None:
        """A section at the top of a checkout's configuration that no release has: a fork with a training loop of its own."""
        if self.folder is None:
            return None
        source = self.world.file(self.folder / "ppo_trainer.yaml")
        if source is None:
            return None
        from grpolint.catalog.loader import raw

        released = {key.partition(".")[0] for key in raw("verl", "ppo_trainer")[2]} | {"defaults", "hydra"}
        return next((name for name in _SECTION.findall(source.text) if name not in released), None)

    def source(self, folder: str) -> ConfigSource:
        """A folder of the package (`verl/trainer/config`, `verl/experimental/x/config`)."""
        if self.folder is not None:
            root = self.folder.parents[2]
            return FolderSource(self.world, root / folder, ("verl", self.version))
        return ReleaseSource("verl", self.version, "" if folder == TRAINER else folder)

    def named(self, path: str, near: Path | None) -> ConfigSource | None:
        """A search path entry (`pkg://verl.trainer.config`, `file://...`) as a source, None if it is not to be found."""
        package = path.startswith("pkg://")
        bare = path.removeprefix("pkg://").removeprefix("file://")
        if package:
            bare = bare.replace(".", "/")
        if bare.strip("/").endswith(TRAINER):
            return self.source(TRAINER)
        folder = find_folder(self.world, bare, near)
        if folder is not None:
            return FolderSource(self.world, folder)
        return self.source(bare) if package and bare.startswith("verl/") else None
