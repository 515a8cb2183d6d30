"""Settings of a slime launch, each under the framework that owns it.

slime gives its own options to Megatron's parser, where it also resets some defaults, and takes SGLang's server options over
with the prefix `--sglang-`. An option is looked up in slime's table, then in Megatron's, then among the prefixed ones.
"""

from __future__ import annotations

from functools import lru_cache

from grpolint.catalog import Table, table
from grpolint.documents.nodes import Mapping, Sequence
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.flags import Reading, Syntax, read_flags
from grpolint.frameworks.slime.releases import below, prefixed, slime_release
from grpolint.run import Run, Setting, Settings, Version
from grpolint.world import World

__all__ = ["compose", "own_syntax"]

_PREFIX = "sglang_"

_SWITCHES = frozenset(
    {
        "apply_chat_template",
        "balance_data",
        "calculate_per_token_loss",
        "colocate",
        "debug_rollout_only",
        "debug_train_only",
        "fp16",
        "gradient_checkpointing",
        "fsdp_cpu_offload",
        "fsdp_state_dict_cpu_offload",
        "deterministic_mode",
        "normalize_advantages",
        "offload",
        "rollout_shuffle",
        "use_dynamic_batch_size",
        "use_kl_loss",
        "use_wandb",
    }
)
"""Switches that have been such in every release, and those of the FSDP backend, which no table declares."""


def own_syntax(version: str) -> Syntax:
    """How slime's own options are written."""
    own = table("slime", "train", version)
    return Syntax("slime", (own,) if own is not None else (), switches=_SWITCHES if own is None else frozenset())


@lru_cache(maxsize=16)
def _syntax(slime: str, megatron: str, sglang: str, fsdp: bool) -> Syntax:
    """Tables in the order in which they decide. The FSDP backend has a parser of its own, without Megatron's options."""
    found = (table("slime", "train", slime), None if fsdp else table("megatron", "train", megatron))
    tables = tuple(each for each in (*found, prefixed(sglang, slime)) if each is not None)
    return Syntax("slime", tables, switches=_SWITCHES if fsdp else frozenset())


def compose(run: Run, world: World) -> None:
    """Fill the run with the options of the launch and of the files that it names."""
    assert run.launch is not None
    typed = {word.prefix.split("=", 1)[0] for word in run.launch.argv if word.prefix.startswith("--")}
    slime = slime_release(world)
    megatron, sglang = below(world, "megatron", slime, typed), below(world, "sglang", slime, ())
    texts = [word.text for word in run.launch.argv]
    fsdp = any(text == "--train-backend=fsdp" for text in texts) or any(
        text == "--train-backend" and texts[at + 1 : at + 2] == ["fsdp"] for at, text in enumerate(texts)
    )
    syntax = _syntax(slime.text, megatron.text, sglang.text, fsdp)
    reading = read_flags(run.launch.argv, syntax)
    _make(run, slime, None if fsdp else megatron, sglang)
    for settings in run.settings.values():
        settings.open_reason = reading.open_reason
    for flag in reading.flags:
        _put(run, flag.setting("slime"))
    _read_config(run, reading, world)
    _read_roles(run, reading, world)
    from grpolint.frameworks.slime.complaints import complain
    from grpolint.frameworks.slime.facts import FACTS, SGLANG, TRAINER

    complain(run, reading, syntax, world)
    run.providers.append(FACTS)
    run.providers.append(SGLANG)
    if not fsdp:
        run.providers.append(TRAINER)


def _make(run: Run, slime: Version, megatron: Version | None, sglang: Version) -> None:
    """The settings of the frameworks that take part, with the defaults as slime leaves them."""
    from grpolint.frameworks.slime.defaults import megatron_defaults, sglang_defaults

    own, server = table("slime", "train", slime.text), table("sglang", "server", sglang.text)
    run.settings["slime"] = Settings("slime", slime, own.default if own is not None else None, tables=_tables(own))
    if megatron is not None:
        train = table("megatron", "train", megatron.text)
        run.settings["megatron"] = Settings(
            "megatron", megatron, megatron_defaults(run, own, train), tables=_tables(train)
        )
    run.settings["sglang"] = Settings("sglang", sglang, sglang_defaults(run, server), tables=_tables(server))


def _tables(*found: Table | None) -> tuple[Table, ...]:
    return tuple(each for each in found if each is not None)


def _put(run: Run, setting: Setting) -> None:
    """Record a setting under its owner: SGLang's without the prefix, Megatron's also where slime resets the default."""
    owner, key = setting.framework, setting.key
    megatron = run.settings.get("megatron")
    if owner == "sglang":
        key = key.removeprefix(_PREFIX)
    elif megatron is not None and megatron.option(key) is not None:
        owner = "megatron"
    run.settings[owner].put(Setting(owner, key, setting.value, setting.span, setting.form))


def _read_config(run: Run, reading: Reading, world: World) -> None:
    """`--custom-config-path`: a flat YAML whose keys are set on the arguments after everything else."""
    if reading.last("custom_config_path") is None:
        return
    from grpolint.frameworks.trees import tree_settings, yaml_root

    path = reading.pattern("custom_config_path")
    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        own = run.settings["slime"]
        own.open_reason = own.open_reason or missing_file(path, "custom-config-path")
        return
    for setting in tree_settings("slime", root, "yaml", "pyyaml", detail=source.path):
        key, owner = setting.key, "slime"
        server = run.settings["sglang"]
        if key.startswith(_PREFIX) and server.option(key.removeprefix(_PREFIX)) is not None:
            owner = "sglang"
        _put(run, Setting(owner, key, setting.value, setting.span, setting.form))


def _read_roles(run: Run, reading: Reading, world: World) -> None:
    """`--megatron-config-path`: options of the actor (and the critic) over those of the command line."""
    if reading.last("megatron_config_path") is None or "megatron" not in run.settings:
        return
    from grpolint.frameworks.trees import text_at, tree_settings, yaml_root

    path = reading.pattern("megatron_config_path")
    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    entries = root.get("megatron") if root is not None else None
    if source is None or not isinstance(entries, Sequence):
        settings = run.settings["megatron"]
        settings.open_reason = settings.open_reason or missing_file(path, "megatron-config-path")
        return
    for entry in entries.items:
        if not isinstance(entry, Mapping) or text_at(entry, "role", "pyyaml")[0] != "actor":
            continue
        overrides = entry.get("overrides") or entry.get("args")
        if isinstance(overrides, Mapping):
            for setting in tree_settings("slime", overrides, "yaml", "pyyaml", detail=source.path):
                _put(run, setting)
