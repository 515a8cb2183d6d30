"""Settings of a Megatron launch. Scripts may declare arguments of their own, so an unknown one means nothing here."""

from __future__ import annotations

from grpolint.catalog import table
from grpolint.frameworks.asking import find_file, missing_file, settings_for
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.run import Run, Setting, Settings
from grpolint.world import World

__all__ = ["compose", "syntax"]

_SWITCHES = frozenset(
    {
        "bf16",
        "fp16",
        "sequence_parallel",
        "use_distributed_optimizer",
        "overlap_grad_reduce",
        "overlap_param_gather",
        "swiglu",
        "untie_embeddings_and_output_weights",
        "group_query_attention",
        "use_flash_attn",
        "use_mcore_models",
        "use_rotary_position_embeddings",
        "moe_grouped_gemm",
        "optimizer_cpu_offload",
        "recompute_activations",
        "qk_layernorm",
        "use_megatron_fsdp",
        "use_torch_fsdp2",
        "perform_rl_step",
    }
)
"""Switches that have been such in every release, for the case that the catalog has no table."""


def syntax(version: str) -> Syntax:
    """How Megatron reads its command line: argparse without abbreviations."""
    train = table("megatron", "train", version)
    tables = (train,) if train is not None else ()
    return Syntax("megatron", tables, switches=frozenset() if tables else _SWITCHES)


def compose(run: Run, world: World) -> None:
    """Fill the run with the arguments of the launch, over those of a `--yaml-cfg` file."""
    assert run.launch is not None
    settings = settings_for(run, world, "megatron", "train")
    reading = read_flags(run.launch.argv, syntax(settings.version.text))
    settings.open_reason = reading.open_reason
    if reading.last("yaml_cfg") is not None:
        _read_yaml(reading.pattern("yaml_cfg"), settings, world)
    for flag in reading.flags:
        settings.put(flag.setting("megatron"))
    from grpolint.frameworks import processes
    from grpolint.frameworks.megatron.facts import FACTS

    run.providers.append(FACTS)
    run.providers.append(processes.FACTS)


def _read_yaml(path: str | None, settings: Settings, world: World) -> None:
    """Megatron's YAML groups arguments in sections (`model_parallel`, `language_model`); the names are the arguments'."""
    from grpolint.frameworks.trees import tree_settings, yaml_root

    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        settings.open_reason = missing_file(path, "yaml-cfg")
        return
    for setting in tree_settings("megatron", root, "yaml", "pyyaml", detail=source.path):
        key = setting.key.rsplit(".", 1)[-1]
        settings.put(Setting(setting.framework, key, setting.value, setting.span, setting.form))
