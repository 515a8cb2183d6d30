"""An EasyR1 launch or configuration into settings: its dataclasses' defaults, the file that `config=` names, arguments."""

from __future__ import annotations

from pathlib import Path

from grpolint.catalog import table
from grpolint.documents.nodes import Document, Mapping
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.complaining import unknown_key
from grpolint.frameworks.hydra.dotlist import read_dotlist
from grpolint.frameworks.hydra.refusals import likeness
from grpolint.frameworks.trees import tree_settings, yaml_root
from grpolint.launch import Part, Word
from grpolint.regex import regex
from grpolint.run import Run, Setting, Settings, Version
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_VERSION = regex(r"__version__\s*=\s*[\"']([\w.]+)[\"']")
_PASSED_ON = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:False", "CUDA_DEVICE_MAX_CONNECTIONS": "1"}
"""Variables that its driver gives every worker."""


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    launch = run.launch
    assert launch is not None
    settings = _settings(run, world)
    arguments, others = read_dotlist(launch.argv)
    for argument in arguments:
        if argument.key == "config":
            _put_file(settings, world, argument.word)
    for argument in arguments:
        if argument.key != "config":
            settings.put(Setting("easyr1", argument.key, argument.value, argument.word.span, "override"))
    hidden = next((word for word in others if not word.known), None)
    if hidden is not None and settings.open_reason is None:
        settings.open_reason = hidden.reason
    for name, value in _PASSED_ON.items():
        run.env.setdefault(name, Word((Part(value),)))
    _finish(run, settings)


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a configuration file on its own."""
    settings = _settings(run, world)
    if isinstance(document.root, Mapping):
        for setting in tree_settings("easyr1", document.root, "yaml", "omegaconf", detail=document.source.path):
            settings.put(setting)
    _finish(run, settings)


def _settings(run: Run, world: World) -> Settings:
    """The run's settings with the defaults of the release in use; a copy of the package in the tree says which it is."""
    version = world.version("easyr1")
    if version.assumed:
        package = world.find("verl/__init__.py")
        said = _VERSION.search(package.text) if package is not None else None
        if said is not None and world.find("verl/trainer/main.py") is not None:
            # copies of the package are often changed: what it is a copy of is all that is known
            version = Version(said[1], assumed=True, origin="a copy of the package in the tree")
    options = table("easyr1", "ppo", version.text)
    settings = Settings(
        "easyr1",
        version,
        options.default if options is not None else None,
        tables=(options,) if options is not None else (),
    )
    run.settings["easyr1"] = settings
    return settings


def _put_file(settings: Settings, world: World, word: Word) -> None:
    pattern = word.pattern.partition("=")[2]
    source = find_file(world, pattern)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        settings.open_reason = missing_file(pattern, "config")
        return
    for setting in tree_settings("easyr1", root, "yaml", "omegaconf", detail=Path(source.path).name):
        settings.put(setting)


def _finish(run: Run, settings: Settings) -> None:
    """Complaints of options that the dataclasses do not have, and the facts."""
    tables = settings.tables
    known = [key for table in tables for key in table.keys()]  # noqa: SIM118 - a table is no mapping
    for setting in list(settings) if known else ():
        if settings.option(setting.key) is not None or _inside_a_dictionary(settings, setting.key):
            continue
        if settings.version.assumed and not likeness(setting.key, known):
            # the package is used from its main branch and as a copy: the option may well be there
            settings.open_reason = settings.open_reason or f"fork:{setting.key}"
            continue
        detail = f"EasyR1 {settings.version.text} has no option {setting.key} and refuses to start with it"
        unknown_key(
            run,
            "easyr1",
            setting.key,
            span=setting.span,
            detail=detail,
            known=known,
            certain=not settings.version.assumed,
            tables=tables,
        )
    from grpolint.frameworks.easyr1.facts import FACTS

    run.providers.append(FACTS)


def _inside_a_dictionary(settings: Settings, key: str) -> bool:
    """Whether an option lies in one that holds what the user likes (`reward_function_kwargs.weight`)."""
    while "." in key:
        key = key.rpartition(".")[0]
        option = settings.option(key)
        if option is not None:
            return str(option.record.get("type", "")).startswith("dict")
    return False
