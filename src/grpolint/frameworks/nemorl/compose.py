"""A NeMo-RL launch or configuration into settings: the file with what it inherits, and overrides that may only set what is there.

There are no defaults in code: an option that no file has does not exist. What an inherited file of the release says counts as
a default of the release.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from grpolint.catalog import newest, table
from grpolint.documents.nodes import Document, walk
from grpolint.documents.source import Source
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.hydra.commandline import read_command_line
from grpolint.frameworks.hydra.compose import Composition, compose
from grpolint.frameworks.hydra.refusals import complain
from grpolint.frameworks.hydra.tree import Leaf, Tree, leaves
from grpolint.frameworks.nemorl.inherit import Inherited, load, released
from grpolint.frameworks.nemorl.programs import config_word, default_config, is_released, overrides_of
from grpolint.frameworks.trees import yaml_root
from grpolint.records import replace
from grpolint.regex import regex
from grpolint.run import Complaint, Run, Setting, Settings, Version
from grpolint.values import Value, plain
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_RELEASE = regex(r"(?m)^MAJOR = (\d+)\nMINOR = (\d+)\nPATCH = (\d+)")
_BASE = "grpo_math_1B.yaml"
_RL = ("grpo", "ppo", "distillation")
_KINDS = (*_RL, "dpo", "sft", "rm")

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda one, other: one + other,
    "mul": lambda one, other: one * other,
    "div": lambda one, other: one / other,
    "max": max,
}
"""The resolvers that NeMo-RL registers."""


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    launch = run.launch
    assert launch is not None
    version = _release(world)
    word = config_word(launch.argv)
    reason: str | None = None
    if word is None:
        found, reason = _started_with(run, world, version)
    else:
        source = find_file(world, word.pattern)
        found = _loaded(world, source, word.pattern, version)
        if found is None:
            reason = missing_file(word.pattern, "config")
    inherited = found if found is not None else Inherited({})
    reason = reason or _hole(inherited)
    line = read_command_line(overrides_of(launch.argv))
    overrides = [each for each in line.overrides if not each.hydra]
    if reason is not None:
        overrides = [replace(each, mark="++") if each.mark != "~" else each for each in overrides]
    made = compose(inherited.tree, overrides, multirun=True, environment=run.environment, functions=FUNCTIONS)
    _fill(run, world, version, made, reason or (line.open_words[0].reason if line.open_words else None))
    _about(run, inherited)
    # a file of the tree is all there is to set; of an assumed release another one may be in use
    certain = not version.assumed or _complete(made.base)
    complain(
        run,
        line,
        (),
        made.refused if reason is None else (),
        owner=lambda _key: "nemo-rl",
        declared=lambda _key: None,
        certain=certain,
    )


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a configuration on its own. What the command line would add is not known, and nothing is made of it."""
    version = _release(world)
    inherited = load(world, document.source, version.text)
    made = compose(inherited.tree, (), environment=run.environment, functions=FUNCTIONS)
    _fill(run, world, version, made, _hole(inherited))
    _about(run, inherited)


def _release(world: World) -> Version:
    """The release that somebody names, else that of a checkout, else the newest."""
    version = world.version("nemo-rl")
    if not version.assumed:
        return version
    package = world.find("nemo_rl/package_info.py")
    found = _RELEASE.search(package.text) if package is not None else None
    if found is None:
        return version
    base = world.find(f"examples/configs/{_BASE}")
    if base is not None and version.text == newest("nemo-rl") and _is_newer(base, version.text):
        return Version(f"{version.text}.post1", assumed=True, origin="a checkout after this release")
    return Version(".".join(found.groups()), assumed=True, origin="checkout")


def _is_newer(base: Source, version: str) -> bool:
    """Whether a checkout's configuration has options that the newest release does not have: it is developed further, while
    the number of the package stands still between releases.
    """
    root, known = yaml_root(base), released(_BASE, version)
    if root is None or known is None:
        return False
    there = {".".join(path) for path, _ in leaves(known)}
    return any(path not in there and f"{path}." not in there for path, _, entry in walk(root) if entry is not None)


def _started_with(run: Run, world: World, version: Version) -> tuple[Inherited | None, str | None]:
    """The configuration of a program that is given none, and why it is not known."""
    name = default_config(run.program)
    if name is None:
        return None, "file:config"
    beside = PurePath(run.program).parent / "configs" / name
    source = find_file(world, str(beside))
    return _loaded(world, source, f"configs/{name}", version), None


def _loaded(world: World, source: Source | None, path: str, version: Version) -> Inherited | None:
    """The configuration of a file, or of the release where the tree has none; None where there is neither."""
    if source is not None:
        return load(world, source, version.text, main=not is_released(str(Path(source.path).resolve())))
    tree = released(PurePath(path).name, version.text) if is_released(path) else None
    return Inherited(tree) if tree is not None else None


def _hole(inherited: Inherited) -> str | None:
    """Why the configuration may hold more than was read."""
    if inherited.missing is not None:
        return f"file:{inherited.missing}"
    return f"config:{inherited.problem}" if inherited.problem is not None else None


def _complete(tree: Tree) -> bool:
    """Whether every part of a configuration stands in the user's tree, none in the release's."""
    return all(isinstance(node, dict) or node.release is None for _, node in leaves(tree))


def _about(run: Run, inherited: Inherited) -> None:
    if inherited.problem is not None:
        run.complaints.append(Complaint("bad-config", "nemo-rl", "defaults", inherited.span, inherited.problem))


def _fill(run: Run, world: World, version: Version, made: Composition, reason: str | None) -> None:
    """Settings and providers of facts from a composition."""
    from grpolint.frameworks.nemorl.below import put_engine
    from grpolint.frameworks.nemorl.facts import FACTS, RL, kind_facts

    kind = _kind(run, made.tree)
    options = table("nemo-rl", _TABLES[kind], version.text) if kind is not None else None

    def default(key: str) -> Value | None:
        value = made.value(key)
        return None if plain(value) == "???" else value

    settings = run.settings["nemo-rl"] = Settings(
        "nemo-rl",
        version,
        default,
        reason,
        tables=(options,) if options is not None else (),
        names=lambda: [".".join(path) for path, _ in leaves(made.tree)],
    )
    overridden = {path: override for path, _, override in made.set}
    for path, node in leaves(made.tree):
        if not isinstance(node, Leaf) or node.release is not None or not path:
            continue
        override = overridden.get(path)
        span = override.word.span if override is not None and override.word is not None else node.span
        value = made.resolver.value_of(node, path)
        settings.put(Setting("nemo-rl", ".".join(path), value, span, "override" if override is not None else "yaml"))
    run.providers.append(
        {**kind_facts(kind), **FACTS, **RL} if kind in _RL or kind is None else {**kind_facts(kind), **FACTS}
    )
    if kind in _RL or kind is None:
        put_engine(run, world)


_TABLES = {
    "grpo": "grpo_math_1B",
    "ppo": "ppo_math_1B",
    "distillation": "distillation_math",
    "dpo": "dpo",
    "sft": "sft",
    "rm": "rm",
}


def _kind(run: Run, tree: Tree) -> str | None:
    """What is trained, by the section of the configuration, else by the program's name; None where neither says it."""
    for name in _KINDS:
        if isinstance(tree.get(name), dict):
            return name
    return _named(PurePath(run.program).name)


@lru_cache(maxsize=64)
def _named(program: str) -> str | None:
    words = program.removesuffix(".py").split("_")
    return next((name for name in _KINDS if name in words), None)
