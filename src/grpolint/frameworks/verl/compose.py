"""A verl launch or configuration into settings: the release's configuration, the user's files, the overrides."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from grpolint.catalog import Table, table, versions
from grpolint.documents.nodes import Document
from grpolint.frameworks.hydra.commandline import CommandLine, read_command_line
from grpolint.frameworks.hydra.compose import Composition, compose, compose_base, split_groups
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.overrides import Override
from grpolint.frameworks.hydra.refusals import complain, is_slip
from grpolint.frameworks.hydra.sources import ConfigSource, FolderSource, ReleaseSource, config_of
from grpolint.frameworks.hydra.tree import Leaf, leaves, merge
from grpolint.frameworks.hydra.tree import Tree as ConfigTree
from grpolint.frameworks.hydra.workers import put_environment
from grpolint.frameworks.verl.programs import Program, Tree, find_folder, program_of, text_of
from grpolint.records import Record, field, replace
from grpolint.run import Complaint, Run, Setting, Settings, Version
from grpolint.values import Value, plain
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_ENVIRONMENT = "ray_kwargs.ray_init.runtime_env.env_vars"
_MANDATORY = ("actor_rollout_ref.rollout.name",)
"""Options without default that every run reads. Others (the engine of a reward model) are read only where they are used."""

_SLIPS = 2
"""More of them are no slips."""


class _Attempt(Record, frozen=False):
    """One composition of a launch against one release."""

    version: str
    base: ConfigTree
    made: Composition
    errors: list[ComposeError] = field(default_factory=list)
    open_reason: str | None = None
    private: bool = False
    """Whether files of the user's take part."""
    primary: str = ""
    """Name of the primary configuration; empty where it is not known."""


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    launch = run.launch
    assert launch is not None
    line = read_command_line(launch.argv)
    program = program_of(launch.program, world)
    version = world.version("verl")
    tree = Tree(world, version.text, checkout=version.origin != "--with")
    local = tree.checkout_version
    if local is not None:
        version = Version(local, assumed=False, origin="checkout")
        tree.version = local
    section = tree.own_section
    if section is not None:
        run.stranger = f"this fork of verl, which has a section {section},"
    attempt = _attempt(run, world, tree, program, line)
    certain = not version.assumed
    foreign = [error for error in attempt.errors if _foreign(error, attempt)]
    if foreign and version.assumed:
        fitting = _fitting(run, world, program, line, foreign)
        slips = [error for error in foreign if is_slip(error)]
        if fitting is not None:
            attempt = fitting
            version = Version(fitting.version, assumed=True, origin="inferred from its options")
        elif len(slips) < len(foreign) or len(slips) > _SLIPS:
            other = next((error for error in foreign if error not in slips), foreign[0])
            attempt.open_reason = attempt.open_reason or f"fork:{other.key}"
    _fill(run, version, attempt, line, certain=certain or attempt.open_reason is None)


def _attempt(
    run: Run, world: World, tree: Tree, program: Program, line: CommandLine, *, suggest: bool = True
) -> _Attempt:
    """Compose the launch against one tree."""
    primary = text_of(line.name) or program.primary
    near = Path(program.file.path).resolve().parent if program.file is not None else None
    sources, reason = _sources(world, tree, program, line, near)
    if line.name is not None and not line.name.known:
        reason = line.name.reason or "expression:config name"
    if primary is None:
        reason = reason or f"file:{program.module.replace('.', '/')}.py"
    search = SearchPath(sources)
    errors: list[ComposeError] = []
    if primary is not None and reason is None:
        primary = primary.removesuffix(".yaml")
        reason = _extend(search, primary, tree, near, line)
    groups, keys = split_groups(search, line.overrides)
    base: ConfigTree = {}
    if primary is not None and reason is None:
        try:
            base = _base(search, primary, groups, tree)
        except ComposeError as error:
            if error.kind == "open":
                reason = str(error)
            elif error.kind == "missing-config" and _absent(error, primary, line, tree):
                reason = f"file:{error.key}.yaml"
            else:
                errors.append(error)
                base, reason = _rest(search, primary, groups, error)
    if reason is not None:
        keys = [replace(override, mark="++") if override.mark != "~" else override for override in keys]
    environment = run.environment
    made = compose(base, keys, multirun=line.multirun, environment=environment, suggest=suggest)
    if reason is None:
        errors.extend(made.refused)
    private = any(isinstance(source, FolderSource) and source.release is None for source in search.sources)
    return _Attempt(tree.version, base, made, errors, reason, private, primary or "")


def _sources(
    world: World, tree: Tree, program: Program, line: CommandLine, near: Path | None
) -> tuple[list[ConfigSource], str | None]:
    """The folders where the primary configuration is looked for, and why they are not known."""
    sources: list[ConfigSource] = []
    given = text_of(line.path)
    reason: str | None = None
    if given is not None:
        found = tree.named(given.lstrip("/") if line.path is not None and not line.path.known else given, near)
        if found is None and not given.startswith("/") and program.released:
            found = tree.source(posixpath.normpath(posixpath.join(program.folder, given)))
            found = found if isinstance(found, ReleaseSource) and found.is_group("") else None
        if found is None:
            reason = f"file:{line.path.pattern if line.path is not None else given}"
        else:
            sources.append(found)
    elif program.released:
        sources.append(tree.source(f"{program.folder}/config"))
    elif program.config is not None and near is not None:
        folder = find_folder(world, str((near / program.config).resolve()))
        if folder is not None:
            sources.append(FolderSource(world, folder))
    else:
        folder = find_folder(world, f"{program.folder}/config" if program.folder else "config")
        if folder is not None and program.primary is not None:
            sources.append(FolderSource(world, folder))
    if line.dir is not None:
        extra = find_folder(world, text_of(line.dir) or "")
        if extra is not None:
            sources.append(FolderSource(world, extra))
        else:
            reason = reason or f"file:{line.dir.pattern}"
    return sources, reason


def _extend(search: SearchPath, primary: str, tree: Tree, near: Path | None, line: CommandLine) -> str | None:
    """Add the folders of `hydra.searchpath`; the reason why the configuration is open, None if all is found."""
    try:
        config = search.load(primary)
    except ComposeError:
        return None
    if config is None:
        return None
    wanted: Any = None
    if isinstance(config.tree, dict):
        hydra = config.tree.get("hydra")
        leaf = hydra.get("searchpath") if isinstance(hydra, dict) else None
        wanted = leaf.value if isinstance(leaf, Leaf) else None
    for override in line.overrides:
        if override.key == "hydra.searchpath":
            wanted = override.value
    for path in wanted if isinstance(wanted, list) else []:
        source = tree.named(path, near) if isinstance(path, str) and "${" not in path else None
        if source is None:
            return f"file:{path}"
        search.sources.append(source)
    return None


def _absent(error: ComposeError, primary: str, line: CommandLine, tree: Tree) -> bool:
    """Whether a missing file may well exist where we cannot look: then the configuration is open."""
    if error.override is not None:
        return tree.folder is None and line.path is not None
    if error.key == primary:
        return tree.folder is None or line.path is not None
    return True


def _base(search: SearchPath, primary: str, groups: Sequence[Override], tree: Tree) -> ConfigTree:
    first = search.sources[0] if search.sources else None
    if groups or tree.folder is not None or not isinstance(first, ReleaseSource):
        return compose_base(search, primary, groups)
    if not all(isinstance(source, ReleaseSource) for source in search.sources):
        return compose_base(search, primary, groups)
    roots = tuple(source.root for source in search.sources if isinstance(source, ReleaseSource))
    return _released(first.version, roots, primary)


@lru_cache(maxsize=64)
def _released(version: str, roots: tuple[str, ...], primary: str) -> ConfigTree:
    """A primary configuration of a release, composed once."""
    return compose_base(SearchPath([ReleaseSource("verl", version, root) for root in roots]), primary)


def _rest(
    search: SearchPath, primary: str, groups: Sequence[Override], error: ComposeError
) -> tuple[ConfigTree, str | None]:
    """The tree without the group choice that made the composition fail, for what else can be said."""
    others = [override for override in groups if override is not error.override]
    if len(others) < len(groups):
        try:
            return compose_base(search, primary, others), None
        except ComposeError:
            pass
    return {}, f"config:{error.key}"


def _fitting(
    run: Run, world: World, program: Program, line: CommandLine, foreign: Sequence[ComposeError]
) -> _Attempt | None:
    """The newest release whose configuration accepts every option, None if there is none."""
    primary = (text_of(line.name) or program.primary or "").removesuffix(".yaml")
    for version in reversed(versions("verl")):
        if not all(_accepts(version, primary, error) for error in foreign):
            continue
        attempt = _attempt(run, world, Tree(world, version, checkout=False), program, line, suggest=False)
        if attempt.open_reason is None and not attempt.errors:
            return attempt
    return None


def _accepts(version: str, primary: str, error: ComposeError) -> bool:
    """Whether a release may accept an option that another one refuses; a look into its table, without composing."""
    options = table("verl", primary, version)
    if options is None or error.kind not in ("unknown-key", "append-exists") or "@" in error.key or "/" in error.key:
        return True
    option = options.option(error.key)
    present = option is not None and not option.record.get("plus")
    if error.kind == "append-exists":
        return not present
    return present or error.key in _sections(version, primary)


@lru_cache(maxsize=64)
def _sections(version: str, primary: str) -> frozenset[str]:
    """The dotted names of all dictionaries of a table."""
    options = table("verl", primary, version)
    found: set[str] = set()
    for key in options.keys() if options is not None else ():
        while "." in key and (key := key.rpartition(".")[0]) not in found:
            found.add(key)
    return frozenset(found)


def _foreign(error: ComposeError, attempt: _Attempt) -> bool:
    """Whether another release, or a fork, could accept what this one refuses."""
    if error.kind == "append-exists":
        if attempt.made.node(tuple(error.key.split("."))) is None:
            return False  # the script itself adds it twice
        always = table("verl", "ppo_trainer", versions("verl")[0]) if versions("verl") else None
        return always is None or error.key not in always
    return bool(error.key) and error.kind in ("unknown-key", "missing-config", "bad-override")


def _fill(run: Run, version: Version, attempt: _Attempt, line: CommandLine, *, certain: bool) -> None:
    """Settings, environment and complaints from a composition."""
    made = attempt.made
    settings = Settings(
        "verl",
        version,
        _defaults(attempt),
        attempt.open_reason,
        tables=lambda: filter(None, (table("verl", attempt.primary, attempt.version),)),
        names=lambda: _names(attempt),
    )
    for path, node in leaves(attempt.base) if attempt.private else ():
        if isinstance(node, Leaf) and node.release is None and node.span is not None:
            settings.put(Setting("verl", ".".join(path), made.resolver.value_of(node, path), node.span, "yaml"))
    for path, leaf, override in made.set:
        value = made.resolver.value_of(leaf, path)
        span = override.word.span if override.word is not None else None
        settings.put(Setting("verl", ".".join(path), value, span, "override"))
    for path in made.deleted:
        settings.drop(".".join(path))
    run.settings["verl"] = settings
    put_environment(run, made, _ENVIRONMENT)
    _complain(run, attempt, line, certain=certain, named=not version.assumed)
    from grpolint.frameworks.verl.facts import FACTS

    run.providers.append(FACTS)


def _defaults(attempt: _Attempt) -> Any:
    """The function that gives the value of an option that no document sets."""
    made = attempt.made
    deleted = {".".join(path) for path in made.deleted}

    @cache
    def default(key: str) -> Value | None:
        if key in deleted:
            return None
        value = made.default(key)
        if value is None:
            declared = table("verl", "ppo_trainer", attempt.version)
            option = declared.option(key) if declared is not None else None
            return option.default if option is not None and option.record.get("plus") else None
        return None if getattr(value, "value", "") == "???" else value

    return default


def _names(attempt: _Attempt) -> list[str]:
    """Every option of the composed configuration."""
    deleted = {".".join(path) for path in attempt.made.deleted}
    return [key for path, _ in leaves(attempt.base) if (key := ".".join(path)) not in deleted]


def _complain(run: Run, attempt: _Attempt, line: CommandLine, *, certain: bool, named: bool) -> None:
    """What verl would refuse, as complaints of the run. What must be given differs by release: sure only of a `named` one."""

    def declared(_key: str) -> Table | None:
        return table("verl", attempt.primary, attempt.version)

    complain(
        run, line, attempt.made.sweeps, attempt.errors, owner=lambda _key: "verl", declared=declared, certain=certain
    )
    if attempt.open_reason is None and not attempt.errors:
        for key in _MANDATORY:
            if plain(attempt.made.value(key)) == "???":
                detail = f"{key} has no default and must be given"
                run.complaints.append(Complaint("missing-value", "verl", key, None, detail, None, certain and named))


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a configuration file on its own: a primary configuration, or one with everything in it."""
    version = world.version("verl")
    tree = Tree(world, version.text, checkout=version.origin != "--with")
    local = tree.checkout_version
    if local is not None:
        version = Version(local, assumed=False, origin="checkout")
        tree.version = local
    path = Path(document.source.path).resolve()
    config = config_of(document, path.stem)
    reason: str | None = None
    errors: list[ComposeError] = []
    base: ConfigTree = {}
    if config.defaults is None:
        merge(base, config.tree if isinstance(config.tree, dict) else {}, lambda _leaf, _path: None)
        base.pop("hydra", None)
        reason = "file:primary configuration"
    else:
        search = SearchPath([FolderSource(world, path.parent)])
        reason = _extend(search, path.stem, tree, path.parent, CommandLine())
        try:
            base = compose_base(search, path.stem)
        except ComposeError as error:
            reason = reason or (f"file:{error.key}.yaml" if error.kind == "missing-config" else f"config:{error.key}")
            if error.kind != "missing-config":
                errors.append(error)
            base = {key: value for key, value in _own(config.tree).items() if key != "hydra"}
    made = compose(base, ())
    _fill(
        run,
        version,
        _Attempt(tree.version, base, made, errors, reason, private=True, primary=path.stem),
        CommandLine(),
        certain=not version.assumed,
    )


def _own(tree: Any) -> ConfigTree:
    return tree if isinstance(tree, dict) else {}
