"""A prime-rl launch or TOML into settings: the files in their order, and the flags over them.

The catalog has none of its releases: what nobody writes is not known here, and no rule takes it for something.
"""

from __future__ import annotations

from pathlib import Path

from grpolint.documents import toml
from grpolint.documents.nodes import Document, Mapping
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.frameworks.primerl.commandline import split
from grpolint.frameworks.trees import tree_settings
from grpolint.run import Run, Setting, Settings, Version
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_NEWEST = "0.8.0"
"""Newest release that was read."""


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch."""
    assert run.launch is not None
    program = run.launch.program
    settings = _settings(run, world)
    files, rest = split(run.launch.argv)
    whole = program == "rl" or not program.isidentifier()
    for section, word in files:
        source = find_file(world, word.pattern)
        root = toml.parse(source).root if source is not None else None
        if source is None or not isinstance(root, Mapping):
            settings.open_reason = settings.open_reason or missing_file(word.pattern, "config")
            continue
        _put(
            settings,
            root,
            Path(source.path).name,
            section if whole else (section and f"{program}.{section}") or program,
        )
    reading = read_flags(rest, Syntax("prime-rl", dashes=False))
    settings.open_reason = settings.open_reason or reading.open_reason
    for flag in reading.flags:
        key = flag.dest.replace("-", "_")
        settings.put(flag.setting("prime-rl", key if whole else f"{program}.{key}"))
    _finish(run, whole=whole, program=program)


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a TOML on its own."""
    settings = _settings(run, world)
    if isinstance(document.root, Mapping):
        _put(settings, document.root, Path(document.source.path).name, "")
    _finish(run, whole=True, program="rl")


def _settings(run: Run, world: World) -> Settings:
    version = world.version("prime-rl")
    if version.assumed and version.text == "unknown":
        version = Version(_NEWEST)
    run.settings["prime-rl"] = Settings("prime-rl", version)
    return run.settings["prime-rl"]


def _put(settings: Settings, root: Mapping, detail: str, section: str) -> None:
    for setting in tree_settings("prime-rl", root, "toml", "json", detail=detail, prefix=section):
        settings.put(Setting("prime-rl", setting.key, setting.value, setting.span, "toml"))


def _finish(run: Run, *, whole: bool, program: str) -> None:
    from grpolint.frameworks.primerl.facts import FACTS, SFT

    run.providers.append(FACTS if whole and program != "sft" else SFT if program == "sft" else {})
