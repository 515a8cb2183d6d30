"""A SkyRL launch into settings: the Hydra configuration of skyrl-train, or the dataclasses of SkyRL since."""

from __future__ import annotations

from functools import lru_cache

from grpolint.catalog import Table, table
from grpolint.frameworks.complaining import unknown_key
from grpolint.frameworks.hydra.commandline import read_command_line
from grpolint.frameworks.hydra.compose import compose, compose_base, split_groups
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.dotlist import read_dotlist
from grpolint.frameworks.hydra.refusals import complain, is_slip, likeness
from grpolint.frameworks.hydra.sources import release_sources
from grpolint.frameworks.hydra.tree import Tree, leaves
from grpolint.records import replace
from grpolint.run import Complaint, Run, Setting, Settings
from grpolint.values import Value, plain
from grpolint.versions import satisfies
from grpolint.world import World

__all__ = ["compose_launch"]

_OLD = ("generator.num_inference_engines", "generator.inference_engine_", "generator.backend", "generator.gpu_memory")
"""Options of the Hydra configuration that got other names when the packages were joined."""

_ENTRY = ("skyrl_train.entrypoints.main_base", "skyrl.train.entrypoints.main_base")
_OTHER_ENTRY = "trainer.override_entrypoint="
_LENIENT = ("generator.inference_engine.async_engine", "trainer.use_sample_packing")
"""Options that are gone from the dataclasses and still taken from a command line."""

_PRIMARY = "ppo_base_config"


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    if _is_old(run):
        _compose_hydra(run, world)
    else:
        _compose_dataclasses(run, world)
    from grpolint.frameworks.skyrl.facts import FACTS

    run.providers.append(FACTS)


def _is_old(run: Run) -> bool:
    """Whether the launch is one of skyrl-train: by its program, else by options that only that has."""
    launch = run.launch
    assert launch is not None
    if "skyrl" in launch.program:
        return "skyrl_train" in launch.program
    words = [word.prefix.lstrip("+") for word in launch.argv]
    return any(word.startswith(_OLD) for word in words) and not any(
        word.startswith("generator.inference_engine.") for word in words
    )


def _own(run: Run) -> bool:
    """Whether the program is SkyRL's own entry point, and stays it: others have options of their own."""
    launch = run.launch
    if launch is None or any(word.prefix.startswith(_OTHER_ENTRY) for word in launch.argv):
        return False
    program = run.program.removesuffix(".py").replace("/", ".").lstrip(".")
    return any(program == name or program.endswith("." + name) for name in _ENTRY)


def _compose_dataclasses(run: Run, world: World) -> None:
    version = world.version("skyrl")
    options = table("skyrl", "train", version.text)
    settings = Settings(
        "skyrl",
        version,
        options.default if options is not None else None,
        tables=(options,) if options is not None else (),
    )
    run.settings["skyrl"] = settings
    arguments, others = read_dotlist(run.launch.argv if run.launch is not None else ())
    for argument in arguments:
        key = argument.key.lstrip("+")
        if argument.key != key and _own(run):
            detail = f"SkyRL takes no {argument.key[:1]} before an option: {argument.key} is refused"
            run.complaints.append(
                Complaint("bad-override", "skyrl", argument.key, argument.word.span, detail, key, not version.assumed)
            )
        settings.put(Setting("skyrl", key, argument.value, argument.word.span, "override"))
    hidden = next((word for word in others if not word.known), None)
    if hidden is not None:
        settings.open_reason = hidden.reason
    if options is not None:
        _about_unknown(run, settings, options)


def _about_unknown(run: Run, settings: Settings, options: Table) -> None:
    """Complain of options that the dataclasses lack; releases before 0.3 take those of skyrl-train too."""
    known = list(options.keys())
    certain = not settings.version.assumed and _own(run) and satisfies(settings.version.text, ">=0.3")
    for setting in list(settings):
        if _declared(options, setting.key):
            continue
        if certain or (_own(run) and likeness(setting.key, known)):
            detail = f"SkyRL {settings.version.text} has no option {setting.key} and refuses to start with it"
            unknown_key(
                run, "skyrl", setting.key, span=setting.span, detail=detail, known=known, certain=certain,
                tables=(options,),
            )  # fmt: skip
        elif _own(run):
            settings.open_reason = settings.open_reason or f"fork:{setting.key}"


def _declared(options: Table, key: str) -> bool:
    """Whether the release has an option, or a dictionary above it that takes any key."""
    if options.option(key) is not None or key in _LENIENT or key.startswith("environment.skyrl_gym."):
        return True  # environments are declared in a package of their own
    while "." in key:
        key = key.rpartition(".")[0]
        option = options.option(key)
        if option is not None:
            return str(option.record.get("type", "")).startswith(("dict", "any")) or "default" in option.record
    return False


@lru_cache(maxsize=8)
def _released(version: str) -> Tree:
    search = SearchPath(release_sources("skyrl-train", version, "skyrl_train/config"))
    return compose_base(search, _PRIMARY)


def _compose_hydra(run: Run, world: World) -> None:
    launch = run.launch
    assert launch is not None
    version = world.version("skyrl-train")
    if version.assumed and not world.version("skyrl").assumed:
        version = world.version("skyrl")  # the package by its short name
    line = read_command_line(launch.argv)
    search = SearchPath(release_sources("skyrl-train", version.text, "skyrl_train/config"))
    groups, keys = split_groups(search, line.overrides)
    reason: str | None = None
    base: Tree = {}
    if line.name is not None or line.path is not None:
        reason = f"file:{line.name.pattern if line.name is not None else 'config'}.yaml"
    else:
        try:
            base = compose_base(search, _PRIMARY, groups) if groups else _released(version.text)
        except ComposeError as error:
            reason = f"config:{error.key}"
    if reason is not None:
        keys = [replace(override, mark="++") if override.mark != "~" else override for override in keys]
    made = compose(base, keys, multirun=line.multirun, environment=run.environment)
    errors = list(made.refused) if reason is None else []
    if not _own(run):
        reason, errors = reason or (f"fork:{errors[0].key}" if errors else None), []
    elif version.assumed and any(not is_slip(error) for error in errors):
        reason = next(f"fork:{error.key}" for error in errors if not is_slip(error))
        errors = [error for error in errors if is_slip(error)]

    def default(key: str) -> Value | None:
        value = made.default(key)
        return None if plain(value) == "???" else value

    def declared(_key: str) -> Table | None:
        return table("skyrl-train", _PRIMARY, version.text)

    settings = Settings(
        "skyrl",
        version,
        default,
        reason,
        tables=lambda: filter(None, (declared(""),)),
        names=lambda: [".".join(path) for path, _ in leaves(base)],
    )
    run.settings["skyrl"] = settings
    for path, leaf, override in made.set:
        span = override.word.span if override.word is not None else None
        settings.put(Setting("skyrl", ".".join(path), made.resolver.value_of(leaf, path), span, "override"))
    complain(
        run,
        line,
        made.sweeps if _own(run) else (),
        errors,
        owner=lambda _key: "skyrl",
        declared=declared,
        certain=not version.assumed,
    )
