"""Settings of an ms-swift run: a YAML file as the first argument, then the flags, or a file or Python call on its own.

A run has the settings of ms-swift and of what trains below it (Transformers or Megatron), of DeepSpeed where a preset or a
file configures it, of accelerate where that launches, and of vLLM as ms-swift makes its engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.catalog import table as catalog_table
from grpolint.documents.nodes import Document, Mapping
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.complaining import unknown_key
from grpolint.frameworks.flags import Reading, read_flags
from grpolint.frameworks.releases import assume_required, inferred
from grpolint.frameworks.swift import ARGUMENTS, table_of_keys, table_of_launch
from grpolint.frameworks.swift.layers import SwiftLayers
from grpolint.frameworks.swift.requires import REQUIRED
from grpolint.launch import Launch, Part, Word
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value, combine, plain
from grpolint.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grpolint.documents.python import PythonDocument
    from grpolint.documents.source import Source

__all__ = ["compose"]

_TO_VLLM = {
    "gpu_memory_utilization": "vllm_gpu_memory_utilization",
    "tensor_parallel_size": "vllm_tensor_parallel_size",
    "pipeline_parallel_size": "vllm_pipeline_parallel_size",
    "data_parallel_size": "vllm_data_parallel_size",
    "enable_expert_parallel": "vllm_enable_expert_parallel",
    "max_num_seqs": "vllm_max_num_seqs",
    "max_model_len": "vllm_max_model_len",
    "disable_custom_all_reduce": "vllm_disable_custom_all_reduce",
    "enforce_eager": "vllm_enforce_eager",
    "enable_lora": "vllm_enable_lora",
    "max_lora_rank": "vllm_max_lora_rank",
    "enable_prefix_caching": "vllm_enable_prefix_caching",
    "quantization": "vllm_quantization",
    "disable_cascade_attn": "vllm_disable_cascade_attn",
    "model": "model",
    "dtype": "torch_dtype",
}
"""vLLM's options by those of ms-swift that set them."""


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run and add the facts."""
    name = _table(run, document)
    layers = _layers(run, world, name, document)
    if document is None:
        assert run.launch is not None
        _launched(run, world, layers, run.launch)
    elif isinstance(document, Document):
        if isinstance(document.root, Mapping):
            _put_yaml(document.root, document.source, run, layers)
    else:
        _python(document, run, world, layers)
    _below(run, world, layers)
    from grpolint.frameworks.swift.facts import facts_of

    run.providers += facts_of(run, layers)


def _table(run: Run, document: Document | PythonDocument | None) -> str:
    if document is None:
        assert run.launch is not None
        return table_of_launch(run.launch) or "sft"
    if isinstance(document, Document):
        keys = set(document.root.keys()) if isinstance(document.root, Mapping) else set()
        return table_of_keys(keys) or "sft"
    from grpolint.frameworks.pycalls import calls

    return ARGUMENTS[next(calls(document, *ARGUMENTS)).last]


def _layers(run: Run, world: World, name: str, document: Document | PythonDocument | None) -> SwiftLayers:
    typed: Iterable[str] = ()
    if document is None:
        assert run.launch is not None
        words = (word.prefix.partition("=")[0] for word in run.launch.argv)
        typed = [word[2:].replace("-", "_") for word in words if word.startswith("--")]
        root = _given_file(run.launch, world)
        typed += root.keys() if root is not None else ()
    elif isinstance(document, Document):
        typed = document.root.keys() if isinstance(document.root, Mapping) else ()
    version = inferred("ms-swift", name, typed, world.version("ms-swift"))
    assume_required(world, "ms-swift", version, REQUIRED)
    return SwiftLayers(run, world, name, version)


def _file_word(launch: Launch) -> Word | None:
    """The word that names the file: the first argument, behind the command where the module takes that as a word."""
    words = launch.argv[1:] if launch.program.endswith("main") or launch.program.endswith("main.py") else launch.argv
    first = words[0] if words else None
    return first if first is not None and first.pattern.endswith((".yaml", ".yml", ".json")) else None


def _given_file(launch: Launch, world: World) -> Mapping | None:
    from grpolint.frameworks.trees import yaml_root

    word = _file_word(launch)
    source = find_file(world, word.pattern) if word is not None else None
    return yaml_root(source) if source is not None else None


def _launched(run: Run, world: World, layers: SwiftLayers, launch: Launch) -> None:
    """The file first, then the flags over it, then the options of accelerate where it starts the program."""
    word = _file_word(launch)
    if word is not None:
        root, source = _given_file(launch, world), find_file(world, word.pattern)
        if root is not None and source is not None:
            _put_yaml(root, source, run, layers)
        else:
            layers.open(missing_file(word.pattern, "config"))
    reading = read_flags(launch.argv, layers.syntax())
    layers.open(reading.open_reason)
    if layers.megatron and reading.last("use_ray") is not None and reading.last("config") is not None:
        _on_ray(world, layers, reading)
        return
    for flag in reading.flags:
        layers.put(flag.setting("ms-swift"))
    _complain(run, reading, layers)
    from grpolint.frameworks.accelerate.compose import compose_launcher

    compose_launcher(run, world)


def _on_ray(world: World, layers: SwiftLayers, reading: Reading) -> None:
    """A run on Ray takes everything from the file of `--config`: what is shared, and what a group of workers has of its own."""
    from grpolint.frameworks.trees import tree_settings, yaml_root

    path = reading.pattern("config")
    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        layers.open(missing_file(path, "config"))
        return
    for setting in tree_settings("ms-swift", root, "yaml", "pyyaml", detail=source.path):
        group, dot, key = setting.key.partition(".")
        if dot and group in ("train", "rollout") and key != "gpus":
            setting = Setting("ms-swift", key, setting.value, setting.span, setting.form)
        layers.put(layers.typed(setting))


def _put_yaml(root: Mapping, source: Source, run: Run, layers: SwiftLayers) -> None:
    """A file's keys are options, each a flag in effect; those of its section `ENV` are variables that yield to the script's."""
    from grpolint.frameworks.trees import node_value, tree_settings

    environment = root.get("ENV")
    for entry in environment.entries if isinstance(environment, Mapping) else ():
        origin = Origin("config file", entry.span, source.path)
        value = node_value(entry.value, "pyyaml", origin)
        known = isinstance(value, Known)
        part = Part(str(plain(value)), None, (origin,)) if known else Part(None, "expression", (origin,))
        run.env.setdefault(entry.key, Word((part,), entry.span))
    for setting in tree_settings("ms-swift", root, "yaml", "pyyaml", detail=source.path):
        if setting.key.split(".", 1)[0] != "ENV":
            layers.put(layers.typed(setting))


def _python(document: PythonDocument, run: Run, world: World, layers: SwiftLayers) -> None:
    from grpolint.frameworks.pycalls import bind, calls, given_values, merged, put_environment

    put_environment(document, run)
    given = given_values(document, run, world.supplied.env)
    names = [name for name, each in ARGUMENTS.items() if each == layers.table]
    made = [bind(call, given) for call in calls(document, *names)]
    for setting in merged(made, "ms-swift"):
        layers.put(setting)
    for call in made:
        if call.open_ended:
            layers.open(f"expression:**arguments of {call.written}")


def _complain(run: Run, reading: Reading, layers: SwiftLayers) -> None:
    """What is left over when the arguments are read ends the program, unless it is told to go on."""
    if not layers.complete or plain(run.value("ms-swift", "ignore_args_error")) is True:
        return
    version = layers.own.version
    certain = not version.assumed and not (layers.below.version.assumed and not layers.megatron)
    for flag in reading.flags:
        if layers.known(flag.dest.split(".", 1)[0]) or not flag.typed.startswith("--"):
            continue
        if any(word.condition for word in flag.words):
            continue
        unknown_key(
            run,
            "ms-swift",
            flag.dest,
            span=flag.span,
            detail=f"ms-swift {version.text} has no argument {flag.typed} for this command and refuses to start with it",
            known=layers.names(),
            certain=certain,
            tables=layers.own.tables,
        )


def _below(run: Run, world: World, layers: SwiftLayers) -> None:
    """DeepSpeed as a preset or a file configures it, and vLLM as the engine is made."""
    from grpolint.frameworks.accelerate.compose import compose_deepspeed
    from grpolint.frameworks.deepspeed.compose import put_arguments
    from grpolint.frameworks.swift.presets import put_arguments_over, put_preset
    from grpolint.frameworks.swift.processes import world_size

    if layers.table == "rollout":
        _vllm(run, world, server=True)
        return
    if not layers.megatron and not put_preset(run, world):
        put_arguments(run, world, processes=world_size)
        if "deepspeed" not in run.settings:
            compose_deepspeed(run, world)
    put_arguments_over(run)
    generates = layers.table.endswith("rlhf") and plain(run.value("ms-swift", "rlhf_type")) in ("grpo", "gkd")
    uses = run.value("ms-swift", "use_vllm")
    if generates and plain(uses) is True and plain(run.value("ms-swift", "vllm_mode")) in ("colocate", None):
        _vllm(run, world, server=False)


def _vllm(run: Run, world: World, *, server: bool) -> None:
    """VLLM's options as ms-swift sets them."""
    version = world.version("vllm")
    engine = catalog_table("vllm", "engine", version.text)

    def default(key: str) -> Value | None:
        own = _TO_VLLM.get(key)
        if key == "max_lora_rank" and not server:
            own = "lora_rank"
        value = run.value("ms-swift", own) if own is not None else None
        if key == "enable_sleep_mode" and not server:
            value = combine(lambda level: int(level) > 0, run.value("ms-swift", "sleep_level"))
        if value is not None and (isinstance(value, Unknown) or plain(value) is not None):
            return value
        return engine.default(key) if engine is not None else None

    run.settings["vllm"] = settings = Settings("vllm", version, default, tables=(engine,) if engine is not None else ())
    given = run.settings["ms-swift"]
    for setting in list(given.under("vllm_engine_kwargs")):
        key = setting.key.removeprefix("vllm_engine_kwargs.")
        settings.put(Setting("vllm", key, setting.value, setting.span, setting.form))
