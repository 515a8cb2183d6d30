"""Settings of accelerate under the names of its launcher: configuration file first, then the launcher's flags.

The sections of the file (`fsdp_config`, `deepspeed_config`) are flattened the way the launcher does it, so that
`fsdp_config: {fsdp_version: 2}` and `--fsdp_version 2` are one option. What accelerate makes of its DeepSpeed section is put
into DeepSpeed's own settings as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grpolint.catalog import table
from grpolint.documents.nodes import Document, Entry, Mapping, Scalar
from grpolint.documents.source import Source
from grpolint.frameworks.asking import find_file, missing_file, truth
from grpolint.frameworks.complaining import about_flags, not_strict, unknown_key
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.launch import Word
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Unknown, Value, plain
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument

__all__ = ["DEFAULT_FILE", "compose", "compose_deepspeed", "compose_launcher", "put_config", "syntax", "uses"]

DEFAULT_FILE = "file:~/.cache/huggingface/accelerate/default_config.yaml"
"""Reason of everything that the user's own default file may decide."""

_SECTIONS = {"fsdp_config": "fsdp_", "fp8_config": "fp8_", "dynamo_config": "dynamo_"}
"""Sections whose keys get a prefix unless they have it."""

_FLAT = ("deepspeed_config", "parallelism_config", "megatron_lm_config", "mpirun_config")

_INTO_DEEPSPEED = {
    "zero_stage": "zero_optimization.stage",
    "offload_optimizer_device": "zero_optimization.offload_optimizer.device",
    "offload_param_device": "zero_optimization.offload_param.device",
    "offload_optimizer_nvme_path": "zero_optimization.offload_optimizer.nvme_path",
    "offload_param_nvme_path": "zero_optimization.offload_param.nvme_path",
    "gradient_accumulation_steps": "gradient_accumulation_steps",
    "gradient_clipping": "gradient_clipping",
    "zero3_save_16bit_model": "zero_optimization.stage3_gather_16bit_weights_on_model_save",
}
"""What accelerate passes on to DeepSpeed, by launcher option."""

_SWITCHES = frozenset({
    "quiet", "q", "cpu", "multi_gpu", "tpu", "use_deepspeed", "use_fsdp", "use_megatron_lm", "use_parallelism_config",
    "same_network", "debug", "module", "m", "no_python", "downcast_bf16", "enable_cpu_affinity", "rdzv_standalone",
    "dynamo_use_fullgraph", "dynamo_use_dynamic", "use_cpu",
})  # fmt: skip


def syntax(version: str) -> Syntax:
    """How `accelerate launch` reads its own options: argparse without abbreviations."""
    launch = table("accelerate", "launch", version)
    return Syntax("accelerate", (launch,) if launch is not None else (), switches=_SWITCHES)


def accelerate_settings(run: Run, world: World) -> Settings:
    """The run's settings of accelerate; `fsdp_config.fsdp_version` is another name of `fsdp_version`, and so on."""
    known = run.settings.get("accelerate")
    if known is not None:
        return known
    version = world.version("accelerate")
    tables = [each for each in (table("accelerate", name, version.text) for name in ("launch", "config")) if each]

    def default(key: str) -> Value | None:
        section, dot, name = key.partition(".")
        if dot and (section in _SECTIONS or section in _FLAT):
            prefix = _SECTIONS.get(section, "")
            return settings.value(name if name.startswith(prefix) else prefix + name)
        return next((value for value in (each.default(key) for each in tables) if value is not None), None)

    run.settings["accelerate"] = settings = Settings(
        "accelerate",
        version,
        default,
        tables=tables,
        names=lambda: (key for each in tables for key in each.keys() if "." not in key),  # noqa: SIM118
    )
    return settings


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run with a configuration file on its own, or with a launch of a program of unknown kind."""
    from grpolint.frameworks import processes
    from grpolint.frameworks.accelerate.facts import FACTS

    if isinstance(document, Document):
        settings = accelerate_settings(run, world)
        if isinstance(document.root, Mapping):
            put_config(run, document.root, settings, document.language, document.source)
        compose_deepspeed(run, world)
    else:
        compose_launcher(run, world)
    run.providers.append(FACTS)
    run.providers.append(processes.FACTS)


def compose_launcher(run: Run, world: World, extra: Sequence[Word] = ()) -> None:
    """Settings of `accelerate launch` where it starts the run; `extra` are launcher options that stand elsewhere.

    Without a configuration file the user's own default file applies, and nobody knows what it says.
    """
    from grpolint.frameworks.processes import wrapper

    words = wrapper(run, "accelerate")
    if words is None and not extra and not run.program.startswith("trl "):
        return
    settings = accelerate_settings(run, world)
    reading = read_flags([*(words or ()), *extra], syntax(settings.version.text))
    named = reading.last("config_file") or reading.last("accelerate_config")
    if named is not None:
        _read_file(run, reading.pattern(named.dest), settings, world)
    else:
        settings.open_reason = DEFAULT_FILE
    settings.open_reason = settings.open_reason or reading.open_reason
    if not extra:
        free = ("accelerate_config", "config_file", "m", "q", "standalone")
        tables = syntax(settings.version.text).tables
        about_flags(run, reading, tables, settings.version, "accelerate launch", free=free)
    for flag in reading.flags:
        if flag.dest not in ("config_file", "accelerate_config"):
            settings.put(flag.setting("accelerate"))
    compose_deepspeed(run, world, reading.pattern("deepspeed_config_file"))


def _read_file(run: Run, path: str | None, settings: Settings, world: World) -> None:
    from grpolint.documents import json, yaml

    source = find_file(world, path)
    if source is None:
        settings.open_reason = missing_file(path, "config_file")
        return
    document = json.parse(source) if source.path.endswith(".json") else yaml.parse(source)
    if isinstance(document.root, Mapping):
        put_config(run, document.root, settings, document.language, source)
        not_strict(run, "accelerate", document, "accelerate")
    else:
        settings.open_reason = missing_file(path, "")


def put_config(run: Run, root: Mapping, settings: Settings, form: str, source: Source) -> None:
    """Put a configuration file into `settings`, its sections flattened as the launcher flattens them."""
    from grpolint.frameworks.trees import node_value
    from grpolint.values import Origin

    _unknown_keys(run, root, settings)
    for key, entry in _flatten(root):
        value = node_value(entry.value, "pyyaml", Origin("config file", entry.span, source.path))
        settings.put(Setting("accelerate", key, value, entry.span, form))


def _unknown_keys(run: Run, root: Mapping, settings: Settings) -> None:
    """Complain of top-level keys that accelerate's configuration does not have; it refuses the whole file then.

    A file for SageMaker has keys of its own.
    """
    known = table("accelerate", "config", settings.version.text)
    place = root.get("compute_environment")
    where = (place.raw if place.plain else place.value) if isinstance(place, Scalar) else "LOCAL_MACHINE"
    if known is None or where not in ("LOCAL_MACHINE", "", None):
        return
    for entry in root.entries:
        if entry.key not in known and entry.key not in ("fp16", "dynamo_backend"):
            unknown_key(
                run,
                "accelerate",
                entry.key,
                span=entry.span,
                detail=f"accelerate {settings.version.text} refuses a configuration file with the unknown key {entry.key}",
                known=(key for key in known.keys() if "." not in key),  # noqa: SIM118
                certain=not settings.version.assumed,
            )


def _flatten(root: Mapping) -> Iterator[tuple[str, Entry]]:
    for entry in root.entries:
        if isinstance(entry.value, Mapping) and (entry.key in _SECTIONS or entry.key in _FLAT):
            prefix = _SECTIONS.get(entry.key, "")
            for inner in entry.value.entries:
                yield (inner.key if inner.key.startswith(prefix) else prefix + inner.key), inner
        else:
            yield entry.key, entry


def uses(run: Run, what: str) -> bool | None:
    """Whether accelerate is told to use `deepspeed` or `fsdp`; None if nobody knows."""
    settings = run.settings.get("accelerate")
    if settings is None:
        return False
    flag = settings.get("use_" + what)
    if flag is not None:
        return None if isinstance(flag.value, Unknown) else truth(plain(flag.value))
    kind = settings.get("distributed_type")
    if kind is not None:
        return None if isinstance(kind.value, Unknown) else str(plain(kind.value)).upper() == what.upper()
    if any(settings.get(name) is not None for name in ("use_deepspeed", "use_fsdp", "multi_gpu", "cpu")):
        return False
    return None if settings.open_reason is not None else False


def compose_deepspeed(run: Run, world: World, typed: str | None = None) -> None:
    """DeepSpeed's settings as accelerate makes them: from the file it is given, else from its own options.

    `typed` is the file as a launcher flag names it, with unknown folders.
    """
    settings = run.settings.get("accelerate")
    if settings is None or not uses(run, "deepspeed"):
        return
    from grpolint.frameworks.deepspeed.compose import deepspeed_settings, load

    deepspeed = deepspeed_settings(run, world)
    named = settings.get("deepspeed_config_file")
    path = plain(named.value) if named is not None else None
    if named is not None and isinstance(named.value, Unknown) and not named.value.reason.startswith("branch:"):
        path = typed
    if named is not None and path not in ("none", None, ""):
        load(str(path), run, world, reader="accelerate")
        return
    if isinstance(named.value if named is not None else None, Unknown):
        deepspeed.open_reason = "file:deepspeed_config_file"
        return
    for key, inner in _INTO_DEEPSPEED.items():
        setting = settings.get(key)
        if setting is None:
            continue
        value = setting.value
        if isinstance(value, Known) and value.value == "auto":
            value = Unknown("auto:" + inner, value.origins)
        deepspeed.put(Setting("deepspeed", inner, value, setting.span, setting.form))
    for key in ("gradient_clipping", "train_micro_batch_size_per_gpu", "train_batch_size"):
        if key not in deepspeed:  # accelerate writes `auto` where its options say nothing
            deepspeed.put(Setting("deepspeed", key, Unknown("auto:" + key), None, "yaml"))
