"""Settings of an axolotl run: its YAML file with flags over it; DeepSpeed and the launcher below."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from grpolint.catalog import Table, nearest, table
from grpolint.documents.nodes import Document, Mapping
from grpolint.frameworks.accelerate.compose import compose_launcher
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.axolotl.below import GROUPED, ask, put_transformers, put_trl, put_vllm
from grpolint.frameworks.axolotl.processes import world_size
from grpolint.frameworks.axolotl.requires import REQUIRED
from grpolint.frameworks.flags import Syntax, expand, read_flags
from grpolint.frameworks.releases import assume_required, inferred
from grpolint.frameworks.trees import tree_settings, yaml_root
from grpolint.regex import regex
from grpolint.run import Complaint, Run, Setting, Settings, Version
from grpolint.values import Unknown, Value, plain
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument
    from grpolint.documents.source import Source
    from grpolint.launch import Word

__all__ = ["compose"]

_CHECKOUT = "src/axolotl/utils/schemas/config.py"
_NUMBER = regex(r"\d+(?:\.\d+)+")

_LIKE = 0.88
"""From this likeness on an unknown option is taken for a slip of the pen."""

_OWN_PLUGINS = "axolotl.integrations."
_FREE = frozenset({"launcher", "cloud", "sweep", "num_processes", "main_process_port", "debug", "merge_lora", "config"})
"""Options of the command that are none of the configuration."""


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run and add the facts."""
    from grpolint.frameworks.axolotl.facts import facts_of

    word = _file_word(run)
    source: Source | None = None
    root = document.root if isinstance(document, Document) else None
    if isinstance(document, Document):
        source = document.source
    elif word is not None:
        source = find_file(world, word.pattern)
        root = yaml_root(source) if source is not None else None
    keys = root.keys() if isinstance(root, Mapping) else []
    version = inferred("axolotl", "config", keys, _release(world))
    assume_required(world, "axolotl", version, REQUIRED)
    settings = _settings(run, version)
    if isinstance(root, Mapping) and source is not None:
        for setting in tree_settings("axolotl", root, "yaml", "pyyaml", detail=source.path):
            settings.put(_template(setting))
    elif run.launch is not None:
        settings.open_reason = missing_file(word.pattern if word is not None else None, "config")
    if run.launch is not None:
        _flags(run, settings)
        compose_launcher(run, world)
    _slips(run, settings)
    serves = run.launch is not None and "serve" in run.launch.program
    if serves:
        put_vllm(run, world)
    else:
        _train(run, world)
    run.providers += facts_of(run, serves=serves)


def _release(world: World) -> Version:
    """The release that somebody names, else the one that a checkout around the file says it is, else the newest."""
    version = world.version("axolotl")
    if not version.assumed or world.find(_CHECKOUT) is None:
        return version
    said = world.find("VERSION")
    number = _NUMBER.match(said.text.strip()) if said is not None else None
    return Version(nearest("axolotl", number[0]) or number[0], assumed=True, origin="checkout") if number else version


def _settings(run: Run, version: Version) -> Settings:
    found = (table("axolotl", name, version.text) for name in ("config", "plugins"))
    tables: tuple[Table, ...] = tuple(each for each in found if each is not None)

    def default(key: str) -> Value | None:
        return next((value for each in tables if (value := each.default(key)) is not None), None)

    run.settings["axolotl"] = settings = Settings("axolotl", version, default, tables=tables)
    return settings


def _template(setting: Setting) -> Setting:
    """A setting whose value a template leaves to a variable (`${NAME}`) is unknown."""
    text = plain(setting.value)
    if not isinstance(text, str) or not (text.startswith("${") and text.endswith("}")):
        return setting
    value = Unknown(f"env:{text[2:-1]}", setting.value.origins)
    return Setting(setting.framework, setting.key, value, setting.span, setting.form)


def _file_word(run: Run) -> Word | None:
    """The first argument that is no option."""
    if run.launch is None:
        return None
    return next((word for word in run.launch.argv if word.pattern.endswith((".yaml", ".yml"))), None)


def _flags(run: Run, settings: Settings) -> None:
    """Options of the configuration as flags over the file; what stands behind `--` is the launcher's."""
    assert run.launch is not None
    words = run.launch.argv
    cut = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    reading = read_flags(words[:cut], Syntax("axolotl", settings.tables, bool_values=True))
    settings.open_reason = settings.open_reason or reading.open_reason
    for flag in reading.flags:
        if flag.dest not in _FREE:
            for setting in expand(flag.setting("axolotl")):
                settings.put(setting)


def _slips(run: Run, settings: Settings) -> None:
    """Options that the configuration does not have are dropped without a word. Plugins from elsewhere may have them."""
    plugins = settings.value("plugins")
    names = plain(plugins)
    foreign = isinstance(plugins, Unknown) or any(not str(each).startswith(_OWN_PLUGINS) for each in names or ())
    if foreign or not settings.tables:
        return
    tops = {key for each in settings.tables for key in each.keys() if "." not in key}  # noqa: SIM118
    for head in dict.fromkeys(setting.key.split(".", 1)[0] for setting in settings):
        if head in tops or settings.option(head) is not None:
            continue
        near = max(tops, key=lambda key: SequenceMatcher(None, head, key).quick_ratio())
        if SequenceMatcher(None, head, near).ratio() < _LIKE:
            continue
        first = next(setting for setting in settings if setting.key.split(".", 1)[0] == head)
        detail = f"axolotl {settings.version.text} ignores {head}, which its configuration does not have"
        certain = not settings.version.assumed
        run.complaints.append(Complaint("unknown-key", "axolotl", head, first.span, detail, near, certain))


def _train(run: Run, world: World) -> None:
    """The trainer's arguments, GRPO's where that trains, and DeepSpeed's file."""
    from grpolint.frameworks.deepspeed.compose import deepspeed_settings, fill_auto, load

    put_transformers(run, world)
    kind = run.value("axolotl", "rl")
    if not isinstance(kind, Unknown) and plain(kind) in GROUPED:
        put_trl(run, world)
    named = ask(run, "deepspeed")
    if isinstance(named, Unknown) and run.setting("axolotl", "deepspeed") is not None:
        deepspeed_settings(run, world).open_reason = named.reason
    elif named is not None and not isinstance(named, Unknown) and isinstance(plain(named), str):
        load(str(plain(named)), run, world, reader="Transformers")
        fill_auto(run, world_size)
