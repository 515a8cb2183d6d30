"""An rLLM launch into settings: rLLM's configuration over verl's, the overrides, and what its script passes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grpolint.catalog import Table, table, versions
from grpolint.frameworks.hydra.commandline import CommandLine, read_command_line
from grpolint.frameworks.hydra.compose import Composition, compose, compose_base, split_groups
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.overrides import Override
from grpolint.frameworks.hydra.refusals import complain, is_slip
from grpolint.frameworks.hydra.sources import ConfigSource, FolderSource, ReleaseSource
from grpolint.frameworks.hydra.tree import Leaf, leaves
from grpolint.frameworks.hydra.tree import Tree as ConfigTree
from grpolint.frameworks.hydra.workers import put_environment
from grpolint.frameworks.rllm.programs import Program, Trees, program_of
from grpolint.frameworks.rllm.shared import NATIVE, RLLM
from grpolint.frameworks.verl.programs import find_folder, text_of
from grpolint.records import Record, field, replace
from grpolint.regex import regex
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Known, Unknown, Value, combine, plain
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument

__all__ = ["compose_launch", "compose_python"]

_ENVIRONMENT = "ray_kwargs.ray_init.runtime_env.env_vars"
_VERL = frozenset(("actor_rollout_ref", "critic", "reward_model", "custom_reward_function", "ray_kwargs", "ray_init"))
"""Sections that only verl has; `data`, `algorithm` and `trainer` are those of a training service in other runs."""

_COMMON = frozenset(("data", "algorithm", "trainer"))
_FUNCTIONS = {"mul": lambda one, other: int(one) * int(other)}
_ARGUMENTS = frozenset(
    ("workflow_class", "agent_class", "env_class", "agent_args", "env_args", "agent_run_func", "agent_flow", "backend")
)
"""Arguments of the trainer that decide how it trains."""

_NAME = regex(r"expression:[A-Za-z_]\w*")
_SLIPS = 2
"""More unknown options than these are no slips of the pen."""


class _Attempt(Record, frozen=False):
    """One composition of a launch against one release."""

    trees: Trees
    base: ConfigTree
    made: Composition
    errors: list[ComposeError] = field(default_factory=list)
    open_reason: str | None = None
    private: bool = False
    """Whether files of the user's take part."""
    primary: str = ""
    on_verl: bool = True
    """Whether verl trains; otherwise a training service does."""

    @property
    def synchronised(self) -> bool:
        """Whether rLLM copies its options onto verl's before it starts it."""
        own = self.base.get("rllm")
        return self.on_verl and isinstance(own, dict) and isinstance(own.get("data"), dict)

    def owner(self, key: str) -> str:
        """The framework that an option belongs to."""
        section = key.split(".", 1)[0].lstrip("+~")
        if not self.on_verl:
            return "rllm"
        if section in self.base:
            return "verl" if section in _VERL | _COMMON or _of_verl(self.base[section]) else "rllm"
        return "verl" if section in _VERL | _COMMON else "rllm"


def _of_verl(branch: ConfigTree | Leaf) -> bool:
    """Whether a part of the configuration comes from verl's files."""
    return any(
        isinstance(leaf, Leaf) and leaf.release is not None and leaf.release.framework == "verl"
        for _, leaf in leaves(branch)
    )


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    launch = run.launch
    assert launch is not None
    line = read_command_line(launch.argv)
    program = program_of(launch.program, world)
    own, below = world.version("rllm"), world.version("verl")
    attempt = _attempt(run, world, Trees(world, own, below), program, line)
    version = attempt.trees.rllm
    foreign = [error for error in attempt.errors if error.kind in ("unknown-key", "missing-config", "append-exists")]
    if foreign and version.assumed:
        fitting = _fitting(run, world, program, line)
        slips = [error for error in foreign if is_slip(error)]
        if fitting is not None:
            attempt = fitting
            origin = "inferred from its options"
            attempt.trees.rllm = Version(attempt.trees.rllm.text, assumed=True, origin=origin)
        elif len(slips) < len(foreign) or len(slips) > _SLIPS:
            other = next((error for error in foreign if error not in slips), foreign[0])
            attempt.open_reason = attempt.open_reason or f"fork:{other.key}"
    _fill(run, attempt, line)
    if program.file is not None and "AgentTrainer(" in program.file.text:
        from grpolint.documents import python

        _put_trainer(run, python.parse(program.file))


def _attempt(
    run: Run, world: World, trees: Trees, program: Program, line: CommandLine, *, suggest: bool = True
) -> _Attempt:
    """Compose the launch against one pair of releases."""
    near = Path(program.file.path).resolve().parent if program.file is not None else None
    primary = (text_of(line.name) or program.primary or "").removesuffix(".yaml")
    folder = text_of(line.path) or program.folder
    sources: list[ConfigSource] = []
    reason: str | None = None
    found = trees.named(folder, near) if folder else None
    if found is not None:
        sources.append(found)
    if line.dir is not None:
        extra = find_folder(world, text_of(line.dir) or "")
        if extra is not None:
            sources.append(FolderSource(world, extra))
        else:
            reason = f"file:{line.dir.pattern}"
    if line.name is not None and not line.name.known:
        reason = line.name.reason or "expression:config name"
    elif not primary or not sources:
        reason = reason or f"file:{folder or _script(run)}"
    search = SearchPath(sources)
    if reason is None:
        reason = _extend(search, primary, trees, near, line)
    groups, keys = split_groups(search, line.overrides)
    errors: list[ComposeError] = []
    base: ConfigTree = {}
    if reason is None:
        try:
            base = _base(search, primary, groups)
        except ComposeError as error:
            if error.kind == "open":
                reason = str(error)
            elif error.override is not None:
                errors.append(error)
                reason = f"config:{error.key}"
            else:
                reason = f"file:{error.key}.yaml"
    else:
        keys = [override for override in line.overrides if "/" not in override.key and not override.hydra]
    on_verl = any(section in base for section in _VERL) if reason is None else _names_verl(line)
    if reason is not None:
        keys = [replace(override, mark="++") if override.mark != "~" else override for override in keys]
    made = compose(
        base,
        keys,
        multirun=line.multirun,
        environment=run.environment,
        functions=_FUNCTIONS,
        suggest=suggest,
    )
    if reason is None:
        errors.extend(made.refused)
    private = any(isinstance(source, FolderSource) and source.release is None for source in search.sources)
    return _Attempt(trees, base, made, errors, reason, private, primary, on_verl)


def _script(run: Run) -> str:
    text = run.program
    return text if text.endswith(".py") else text.replace(".", "/") + ".py"


def _names_verl(line: CommandLine) -> bool:
    """Whether the overrides name a section that only verl has, or its backend."""
    for override in line.overrides:
        if override.key == "rllm/backend":
            return bool(override.value == "verl")
        if override.key.split(".", 1)[0] in _VERL:
            return True
    return False


def _extend(search: SearchPath, primary: str, trees: Trees, near: Path | None, line: CommandLine) -> str | None:
    """Add the folders of `hydra.searchpath`; the reason why the configuration is open, None if all is found."""
    try:
        config = search.load(primary)
    except ComposeError as error:
        return f"config:{error.key}"
    if config is None:
        return f"file:{primary}.yaml"
    hydra = config.tree.get("hydra") if isinstance(config.tree, dict) else None
    leaf = hydra.get("searchpath") if isinstance(hydra, dict) else None
    wanted = leaf.value if isinstance(leaf, Leaf) else None
    for override in line.overrides:
        if override.key == "hydra.searchpath":
            wanted = override.value
    for path in wanted if isinstance(wanted, list) else ():
        source = trees.named(path, near) if isinstance(path, str) and "${" not in path else None
        if source is None:
            return f"file:{path}"
        search.sources.append(source)
    return None


def _base(search: SearchPath, primary: str, groups: Sequence[Override]) -> ConfigTree:
    """The composed files; those of releases alone are composed once for the same choices."""
    choices = tuple((override.key, override.value) for override in groups if isinstance(override.value, str))
    plain_choices = len(choices) == len(groups) and all(override.mark == "" for override in groups)
    if plain_choices and all(isinstance(source, ReleaseSource) for source in search.sources):
        roots = tuple(
            (source.framework, source.version, source.root)
            for source in search.sources
            if isinstance(source, ReleaseSource)
        )
        try:
            return _released(roots, primary, choices)
        except ComposeError:
            pass  # composed again below, for an error that names the override of this launch
    return compose_base(search, primary, groups)


@lru_cache(maxsize=64)
def _released(
    roots: tuple[tuple[str, str, str], ...], primary: str, choices: tuple[tuple[str, str], ...]
) -> ConfigTree:
    search = SearchPath([ReleaseSource(*root) for root in roots])
    return compose_base(search, primary, [Override("", key, None, value) for key, value in choices])


def _fitting(run: Run, world: World, program: Program, line: CommandLine) -> _Attempt | None:
    """The newest release whose configuration accepts every option, None if there is none."""
    for text in reversed(versions("rllm")):
        trees = Trees(world, Version(text), world.version("verl"), checkout=False)
        attempt = _attempt(run, world, trees, program, line, suggest=False)
        if attempt.open_reason is None and not attempt.errors:
            return attempt
    return None


def _fill(run: Run, attempt: _Attempt, line: CommandLine) -> None:
    """Settings, environment and complaints from a composition."""
    made, trees = attempt.made, attempt.trees
    own = Settings(
        "rllm",
        trees.rllm,
        _defaults(attempt, "rllm"),
        attempt.open_reason,
        tables=lambda: filter(None, (_declared(attempt, "rllm"),)),
        names=lambda: _names(attempt, "rllm"),
    )
    run.settings["rllm"] = own
    if attempt.on_verl:
        run.settings["verl"] = Settings(
            "verl",
            trees.verl,
            _defaults(attempt, "verl"),
            attempt.open_reason,
            tables=lambda: filter(None, (_declared(attempt, "verl"),)),
            names=lambda: _names(attempt, "verl"),
        )
    for path, node in leaves(attempt.base) if attempt.private else ():
        if isinstance(node, Leaf) and node.release is None and node.span is not None:
            key = ".".join(path)
            setting = Setting(attempt.owner(key), key, made.resolver.value_of(node, path), node.span, "yaml")
            run.settings[setting.framework].put(setting)
    for path, leaf, override in made.set:
        key = ".".join(path)
        span = override.word.span if override.word is not None else None
        setting = Setting(attempt.owner(key), key, made.resolver.value_of(leaf, path), span, "override")
        run.settings[setting.framework].put(setting)
    for path in made.deleted:
        key = ".".join(path)
        run.settings[attempt.owner(key)].drop(key)
    if attempt.synchronised:
        _synchronise(run)
    put_environment(run, made, _ENVIRONMENT)
    certain = not trees.rllm.assumed or attempt.open_reason is None
    complain(
        run,
        line,
        made.sweeps,
        attempt.errors,
        owner=attempt.owner,
        declared=lambda key: _declared(attempt, attempt.owner(key)),
        certain=certain,
    )
    from grpolint.frameworks.rllm.facts import FACTS, over_verl

    run.providers.append(FACTS)
    if attempt.on_verl:
        run.providers.append(over_verl())


def _synchronise(run: Run) -> None:
    """What the unified trainer does first: an option given below `rllm.` replaces verl's, however that was given; one that
    only verl's name was given for replaces rLLM's.
    """
    own, native = run.settings["rllm"], run.settings["verl"]
    for name, target in NATIVE.items():
        setting = own.get(name)
        if setting is not None:
            native.put(Setting("verl", target, setting.value, setting.span, setting.form))
        elif (given := native.get(target)) is not None:
            own.put(Setting("rllm", name, given.value, given.span, given.form))
    separate = own.value("rllm.async_training.enable")
    if separate is not None and plain(separate) is True:
        mini = own.value("rllm.async_training.mini_batch_size")
        if mini is not None:
            setting = own.get("rllm.async_training.mini_batch_size") or own.get("rllm.async_training.enable")
            span, form = (setting.span, setting.form) if setting is not None else (None, "override")
            native.put(Setting("verl", "actor_rollout_ref.actor.ppo_mini_batch_size", mini, span, form))


def _defaults(attempt: _Attempt, framework: str) -> Callable[[str], Value | None]:
    """The function that gives the value of an option of one of the two that no document sets."""
    made = attempt.made
    deleted = {".".join(path) for path in made.deleted}

    @cache
    def default(key: str) -> Value | None:
        if key in deleted or attempt.owner(key) != framework:
            return None
        value = made.default(key)
        missing = value is None or plain(value) == "???"
        if framework == "verl" and (attempt.synchronised or missing):
            taken = _taken(made, key)
            if taken is not None:
                return taken
        return None if missing and not isinstance(value, Unknown) else value

    return default


def _taken(made: Composition, key: str) -> Value | None:
    """What the unified trainer puts in the place of verl's own default; None where that stands."""
    if key == "actor_rollout_ref.actor.use_kl_loss":
        value = made.value("rllm.algorithm.kl_beta")
        return combine(lambda beta: float(beta or 0) > 0, value) if value is not None else None
    if key == "actor_rollout_ref.hybrid_engine":
        value = made.value("rllm.async_training.enable")
        return combine(lambda separate: not separate, value) if value is not None else None
    own = RLLM.get(key)
    value = made.value(own) if own is not None else None
    if isinstance(value, Unknown) or value is None:
        return value
    return None if value.value in (None, "???") else value


def _declared(attempt: _Attempt, framework: str) -> Table | None:
    if framework == "rllm":
        return table("rllm", attempt.primary, attempt.trees.rllm.text)
    primary = "ppo_megatron_trainer" if "megatron" in attempt.primary else "ppo_trainer"
    return table("verl", primary, attempt.trees.verl.text)


def _names(attempt: _Attempt, framework: str) -> list[str]:
    """Every option of the composed configuration that belongs to one of the two."""
    deleted = {".".join(path) for path in attempt.made.deleted}
    keys = (".".join(path) for path, _ in leaves(attempt.base))
    return [key for key in keys if key not in deleted and attempt.owner(key) == framework]


def compose_python(run: Run, world: World, document: PythonDocument) -> None:
    """Fill a run from a script on its own: what it passes to the trainer; the command line is not known."""
    run.settings["rllm"] = Settings("rllm", world.version("rllm"), None, "file:command line")
    _put_trainer(run, document)


def _put_trainer(run: Run, document: PythonDocument) -> None:
    """The arguments of the script's AgentTrainer, as options `AgentTrainer.workflow_class` and so on."""
    from grpolint.frameworks.pycalls import calls, merged

    found = list(calls(document, "AgentTrainer"))
    settings = run.settings["rllm"]
    for setting in merged(found, "rllm") if found else ():
        name = setting.key.split(".", 1)[0]
        if name not in _ARGUMENTS:
            continue
        value = setting.value
        if isinstance(value, Unknown) and _NAME.fullmatch(value.reason):
            value = Known(value.reason.partition(":")[2], value.origins)
        settings.put(replace(setting, key=f"AgentTrainer.{setting.key}", value=value))
