"""An open-instruct launch into settings: the flags over the dataclasses of the release."""

from __future__ import annotations

from grpolint.catalog import table
from grpolint.digits import whole
from grpolint.frameworks.complaining import about_flags
from grpolint.frameworks.flags import read_flags
from grpolint.frameworks.openinstruct.programs import Command, started, syntax
from grpolint.frameworks.releases import inferred
from grpolint.frameworks.trees import tree_settings, yaml_root
from grpolint.launch import Word
from grpolint.run import Run, Settings
from grpolint.values import Known, Origin
from grpolint.world import World

__all__ = ["compose"]


def compose(run: Run, world: World, pattern: str) -> None:
    """Fill the run with the settings of the program and its facts."""
    assert run.launch is not None
    command = started(run.launch, pattern)
    assert command is not None
    typed = [
        word.prefix.split("=", 1)[0][2:].replace("-", "_") for word in command.argv if word.prefix.startswith("--")
    ]
    version = inferred("open-instruct", command.name, typed, world.version("open-instruct"))
    found = table("open-instruct", command.name, version.text)
    tables = (found,) if found is not None else ()
    settings = run.settings["open-instruct"] = Settings(
        "open-instruct", version, found.default if found is not None else None, tables=tables
    )
    argv = command.argv
    if argv and argv[0].text is not None and argv[0].text.endswith(".yaml"):
        _file(settings, world, argv[0])
        argv = argv[1:]
    reading = read_flags(argv, syntax(tables))
    settings.open_reason = settings.open_reason or reading.open_reason
    for flag in reading.flags:
        settings.put(flag.setting("open-instruct"))
    if not version.assumed:  # its main branch is what people run, and most of it never was in a release
        about_flags(run, reading, tables, version, f"open-instruct's {command.name}")
    _mason(run, command)
    from grpolint.frameworks.openinstruct.facts import FACTS, GRPO, kind_facts

    run.providers.append({**kind_facts(command), **FACTS, **(GRPO if command.name.startswith("grpo") else {})})


def _file(settings: Settings, world: World, word: Word) -> None:
    """A YAML in front of the flags."""
    source = world.find(word.text or "")
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        settings.open_reason = f"file:{word.pattern}"
        return
    for setting in tree_settings("open-instruct", root, "yaml", "pyyaml", detail=source.path):
        settings.put(setting)


def _mason(run: Run, command: Command) -> None:
    """The environment that mason.py is told to set."""
    for at, word in enumerate(command.mason):
        if word.text != "--env":
            continue
        for given in command.mason[at + 1 :]:
            name, equal, _ = given.prefix.partition("=")
            if not equal or name.startswith("-"):
                break
            run.env[name] = given.split_at(len(name) + 1)[1]


def number_of(command: Command, flag: str) -> Known | None:
    """A whole number that mason.py is given; None where it is not given, or not known."""
    for at, word in enumerate(command.mason[:-1]):
        following = command.mason[at + 1]
        if word.text == flag and (number := whole(following.text or "")) is not None:
            return Known(number, (Origin("flag", following.span, flag),))
    return None
