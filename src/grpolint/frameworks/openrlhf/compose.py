"""Settings of an OpenRLHF launch, under the names of the release in use.

Release 0.10.2 renamed every option to dotted groups (`--zero_stage` became `--ds.zero_stage`). Where nobody says which
release is in use, the spelling of the options tells: the newest release that knows most of them is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from grpolint.catalog import Table, table, versions
from grpolint.frameworks.complaining import about_flags
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.frameworks.openrlhf.names import LAST_UNDERSCORED, DottedSettings, dotted
from grpolint.run import Run, Version
from grpolint.world import World

__all__ = ["compose", "syntax", "table_name"]

_SWITCHES = frozenset(
    {
        "packing_samples",
        "flash_attn",
        "bf16",
        "gradient_checkpointing",
        "adam_offload",
        "colocate_all_models",
        "colocate_actor_ref",
        "colocate_critic_reward",
        "vllm_enable_sleep",
        "deepspeed_enable_sleep",
        "enforce_eager",
        "enable_prefix_caching",
        "normalize_reward",
        "apply_chat_template",
        "use_kl_loss",
        "save_hf_ckpt",
        "load_checkpoint",
        "dynamic_filtering",
        "async_train",
        "ref_reward_offload",
        "load_in_4bit",
    }
)
"""Underscored switches that take no value, for releases the catalog does not have."""

_DEEPSPEED_ADDED = frozenset({"local_rank", "deepspeed", "deepspeed_config"})


def table_name(program: str) -> str:
    """The catalog table of a program: `train_ppo_ray` of `openrlhf.cli.train_ppo_ray`."""
    return program.removesuffix(".py").replace("/", ".").rsplit(".", 1)[-1]


def syntax(run: Run) -> Syntax:
    """How the program of a run, in its release, reads its command line."""
    found = _options(table_name(run.program), run.settings["openrlhf"].version)
    tables = (found,) if found is not None else ()
    switches = frozenset() if tables else _SWITCHES
    return Syntax("openrlhf", tables, switches=switches, abbreviations=True, dashes=False)


def _options(name: str, version: Version) -> Table | None:
    """The table of a program, None if the catalog's has names of the other kind."""
    found = table("openrlhf", name, version.text)
    return found if found is not None and dotted(Version(found.version)) == dotted(version) else None


def compose(run: Run, world: World) -> None:
    """Fill the run with the settings of the launch and the facts of its kind of training."""
    assert run.launch is not None
    name = table_name(run.launch.program)
    version = world.version("openrlhf")
    if version.assumed:
        typed = [word.prefix.split("=", 1)[0][2:] for word in run.launch.argv if word.prefix.startswith("--")]
        version = _inferred(typed, name, version)
    found = _options(name, version)
    tables = (found,) if found is not None else ()
    default = found.default if found is not None else None
    run.settings["openrlhf"] = settings = DottedSettings(name, version, default, tables=tables)
    reading = read_flags(run.launch.argv, syntax(run))
    settings.open_reason = reading.open_reason
    for flag in reading.flags:
        if flag.dest not in _DEEPSPEED_ADDED:
            settings.put(flag.setting("openrlhf"))
    parser = world.find(f"openrlhf/cli/{name}.py")
    about_flags(run, reading, tables, version, f"OpenRLHF's {name}", free=_DEEPSPEED_ADDED, parser=parser)
    from grpolint.frameworks import processes
    from grpolint.frameworks.openrlhf.below import put_deepspeed, put_vllm
    from grpolint.frameworks.openrlhf.facts import FACTS, PPO

    put_deepspeed(run, world)
    if "ppo" in name:
        put_vllm(run, world)

    run.providers.append({**FACTS, **PPO} if "ppo" in name else FACTS)
    run.providers.append(processes.FACTS)


def _inferred(typed: Iterable[str], name: str, newest: Version) -> Version:
    """The newest release that knows most of the names that were typed."""
    names = set(typed)
    best, most = newest, -1
    for text, options in _names_by_release(name):
        known = len(names & options)
        if known > most:
            best, most = Version(text, assumed=True, origin="inferred from its options"), known
        if most == len(names):
            break
    if _underscored(names) and dotted(best):
        return Version(LAST_UNDERSCORED, assumed=True, origin="inferred from its options")
    return newest if best.text == newest.text else best


@lru_cache(maxsize=8)
def _names_by_release(name: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Option names of a program in every release that has it, the newest first."""
    found = ((text, table("openrlhf", name, text)) for text in reversed(versions("openrlhf")))
    return tuple((text, frozenset(options.keys())) for text, options in found if options is not None)


def _underscored(names: set[str]) -> bool:
    return bool(names) and sum("." in name for name in names) * 2 < len(names - {"use_ms", "local_rank"})
