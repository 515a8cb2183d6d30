"""An AReaL launch or YAML into settings: the YAML, Hydra's overrides on it, and the dataclass that it is merged into.

Hydra composes the YAML alone, so that an override of a key that stands nowhere in it needs a `+`. The result is merged into
the dataclasses of the release, which have a default for everything else and refuse what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from grpolint.catalog import Option, Table, table, versions
from grpolint.documents.nodes import Document
from grpolint.documents.source import Source
from grpolint.frameworks.areal.commandline import split
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.hydra.commandline import read_command_line
from grpolint.frameworks.hydra.compose import Composition, compose, compose_base
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.sources import FolderSource
from grpolint.frameworks.hydra.tree import Leaf, leaves
from grpolint.frameworks.hydra.tree import Tree as ConfigTree
from grpolint.records import replace
from grpolint.regex import regex
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Unknown, Value
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_REFERENCE = regex(r"\$\{([\w.]+)\}")
_PROJECT = regex(r"(?m)^name\s*=\s*\"areal\"[\s\S]{0,400}?^version\s*=\s*\"(\d+(?:\.\d+)+(?:\.post\d+)?)\"")
_LOADER = regex(r"load_expr_config\([^()]*,\s*(\w+)\s*\)")
_CLASSES = {"GRPOConfig": "grpo", "PPOConfig": "ppo", "SFTConfig": "sft", "RWConfig": "rw", "DPOConfig": "dpo"}
_RL = ("grpo", "ppo")
_PARTLY = ("teacher",)
"""Sections whose class inherits options that the catalog does not list there."""


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    assert run.launch is not None
    config, words = split(run.launch.argv)
    line = read_command_line([word for word in words if not word.prefix.startswith("--")])
    source = find_file(world, config.pattern) if config is not None else None
    reason = missing_file(config.pattern if config is not None else None, "config") if source is None else None
    script = _script(run, world)
    found = _LOADER.search(script.text) if script is not None else None
    base, errors, problem = _base(world, source)
    reason = reason or problem
    overrides = line.overrides
    if reason is not None:
        overrides = [replace(each, mark="++") if each.mark != "~" else each for each in overrides]
    made = compose(base, [each for each in overrides if not each.hydra], environment=run.environment)
    _fill(run, world, made, found[1] if found is not None else "", reason)
    from grpolint.frameworks.areal.complaints import complain_of_overrides

    complain_of_overrides(run, line, made, [*errors, *made.refused] if reason is None else [], source)


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a YAML on its own. What the command line would add is not known, and nothing is made of it."""
    base, _, problem = _base(world, document.source)
    _fill(run, world, compose(base, ()), "", problem)


def _script(run: Run, world: World) -> Source | None:
    """The source of the program, or of the script that a launcher starts."""
    assert run.launch is not None
    first = run.launch.argv[0] if run.launch.argv else None
    launched = first.pattern if first is not None and first.pattern.endswith(".py") else run.launch.program
    return find_file(world, launched)


def _base(world: World, source: Source | None) -> tuple[ConfigTree, list[ComposeError], str | None]:
    """The tree that the YAML makes with its defaults list, what Hydra refuses of it, and why it may hold more."""
    if source is None:
        return {}, [], None
    path = Path(source.path).resolve()
    search = SearchPath([FolderSource(world, path.parent)])
    try:
        return compose_base(search, path.name.removesuffix(".yaml")), [], None
    except ComposeError as error:
        if error.kind == "missing-config":
            return {}, [], f"file:{error.key}.yaml"
        return {}, [error], f"config:{error.key}"


def _fill(run: Run, world: World, made: Composition, cls: str, reason: str | None) -> None:
    """Settings, providers of facts and complaints from a composition."""
    from grpolint.frameworks.areal import complaints
    from grpolint.frameworks.areal.below import put_engines
    from grpolint.frameworks.areal.facts import FACTS, RL

    refused = {error.key for error in made.refused}
    keys = [key for path, _ in leaves(made.tree) if (key := ".".join(path)) not in refused]
    kind = _CLASSES.get(cls) or _kind(made.tree, keys)
    version = _release(world, kind, keys, made)
    options = table("areal", kind, version.text)
    tables = (options,) if options is not None else ()
    settings = run.settings["areal"] = Settings("areal", version, _defaults(run, options, made), reason, tables=tables)
    overridden = {path: override for path, _, override in made.set}
    for path, node in leaves(made.tree):
        if not isinstance(node, Leaf):
            continue
        override = overridden.get(path)
        value = _value(made, node, path, options)
        span = override.word.span if override is not None and override.word is not None else node.span
        settings.put(Setting("areal", ".".join(path), value, span, "override" if override is not None else "yaml"))
    complaints.complain_of_keys(run, made, options, sure=cls in _CLASSES)
    run.providers.append({**FACTS, **RL} if kind in _RL else FACTS)
    put_engines(run, world, rl=kind in _RL)


def _kind(tree: ConfigTree, keys: list[str]) -> str:
    """The kind of experiment, by the sections that only one has."""
    if "gconfig" in tree or "rollout" in tree:
        return "grpo"
    if "actor.beta" in keys or "ref" in tree:
        return "dpo"
    return "rw" if "actor.is_critic" in keys else "sft"


def _value(made: Composition, node: Leaf, path: tuple[str, ...], options: Table | None) -> Value:
    """A leaf's value; where it refers to something that only the dataclasses have, that default."""
    value = made.resolver.value_of(node, path)
    if isinstance(value, Unknown) and value.reason.startswith("interpolation:") and options is not None:
        target = _REFERENCE.fullmatch(str(node.value))
        default = options.default(target[1]) if target is not None else None
        return default if default is not None else value
    return value


def _defaults(run: Run, options: Table | None, made: Composition) -> Callable[[str], Value | None]:
    """The default function: the dataclasses', but nothing below a section that is null."""

    def absent(section: str, option: Option) -> bool:
        if not option.record.get("nullable") or next(run.settings["areal"].under(section), None) is not None:
            return False
        return option.record.get("default", "") is None or made.node(tuple(section.split("."))) is not None

    def default(key: str) -> Value | None:
        option = options.option(key) if options is not None else None
        if options is None or option is None:
            return None
        section = key.rpartition(".")[0]
        while section:
            above = options.option(section)
            if above is not None and absent(section, above):
                return None
            section = section.rpartition(".")[0]
        return option.default

    return default


def _release(world: World, kind: str, keys: list[str], made: Composition) -> Version:
    """The release that somebody names, else that of a checkout, else the newest that knows most of the options."""
    version = world.version("areal")
    if not version.assumed:
        return version
    project = world.find("pyproject.toml")
    found = _PROJECT.search(project.text) if project is not None else None
    if found is not None:
        return Version(found[1], assumed=True, origin="checkout")
    common = "allocation_mode" in made.tree and not any(key in ("actor.backend", "rollout.backend") for key in keys)
    best, fewest = version, len(keys) + 1
    for text in reversed(versions("areal")):
        options = table("areal", kind, text)
        if options is None or (common and "actor.backend" in options and text != "0.4.0"):
            continue
        strange = sum(not declared(options, key) for key in keys)
        if strange < fewest:
            same = text == version.text
            best = version if same else Version(text, assumed=True, origin="inferred from its options")
            fewest = strange
        if not strange:
            break
    return best


def declared(options: Table, key: str) -> bool:
    """Whether a release declares an option, or something that holds it and of which the catalog knows no more: a dictionary,
    a class of another package. A section of the user's own that no release has is not judged, nor are private fields.
    """
    section, _, name = key.rpartition(".")
    first = key.split(".", 1)[0]
    if first not in options or first in _PARTLY or key in options or name.startswith("_"):
        return True
    while section:
        option = options.option(section)
        if option is not None:
            kind = str(option.record.get("type", ""))
            return "dict" in kind or kind.startswith(("Any", "list", "tuple")) or section not in _sections(options)
        section = section.rpartition(".")[0]
    return False


@lru_cache(maxsize=16)
def _sections(options: Table) -> frozenset[str]:
    """The sections whose options the catalog knows."""
    return frozenset(key.rpartition(".")[0] for key in options)
