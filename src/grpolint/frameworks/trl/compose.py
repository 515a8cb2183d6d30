"""Settings of a TRL run, from whichever door it comes in: command, script with YAML and flags, recipe, Python file.

One run has the settings of TRL and Transformers (`layers`), of accelerate where it launches, of DeepSpeed where a file or
accelerate configures it, of PEFT where Python makes a LoRA configuration, and of vLLM as TRL passes options on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grpolint.documents.nodes import Document, Mapping
from grpolint.documents.source import Source
from grpolint.frameworks.accelerate.compose import compose_launcher
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.complaining import about_flags, unknown_key
from grpolint.frameworks.flags import Flag, Reading, read_flags
from grpolint.frameworks.trl.layers import Layers
from grpolint.frameworks.trl.recognise import (
    EXTENSIONS,
    kind_of_launch,
    kind_of_text,
    own_trainer,
    parses,
    script_source,
)
from grpolint.launch import Part, Word
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value, plain
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument

__all__ = ["compose"]

_TO_VLLM = {
    "gpu_memory_utilization": "vllm_gpu_memory_utilization",
    "tensor_parallel_size": "vllm_tensor_parallel_size",
    "max_model_len": "vllm_max_model_length",
    "enable_sleep_mode": "vllm_enable_sleep_mode",
    "model_impl": "vllm_model_impl",
}
"""vLLM's options by those of TRL that set them when generation shares the devices."""

_LAUNCHER_KEYS = frozenset({"accelerate_config", "config_file", "num_processes", "num_machines"})


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run and add the facts."""
    from grpolint.frameworks import processes
    from grpolint.frameworks.accelerate.facts import FACTS as ACCELERATE
    from grpolint.frameworks.deepspeed.compose import put_arguments
    from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED
    from grpolint.frameworks.trl.facts import FACTS, facts_of

    kind = _kind(run, world, document)
    if kind == "vllm-serve":
        _serve(run, world)
        return
    named: str | None = None
    if document is None:
        named = _launched(run, world, kind)
    elif isinstance(document, Document):
        layers = Layers(run, world, kind)
        if isinstance(document.root, Mapping):
            _put_yaml(document.root, document.source, layers)
            _own_keys(run, layers)
    else:
        from grpolint.frameworks.trl.python import put_python

        put_python(run, world, document, kind)
    put_arguments(run, world, named)
    _vllm(run, world)
    if "unsloth" in run.settings and kind in ("grpo", "rloo"):
        from grpolint.frameworks.trl.unsloth import FACTS as UNSLOTH

        run.providers.append(UNSLOTH)
    run.providers.append(facts_of(kind))
    run.providers.append(FACTS)
    run.providers.append(ACCELERATE if "accelerate" in run.settings else {})
    run.providers.append(DEEPSPEED if "deepspeed" in run.settings else {})
    run.providers.append(processes.FACTS)


def _kind(run: Run, world: World, document: Document | PythonDocument | None) -> str:
    if document is None:
        assert run.launch is not None
        named = re.search(r"(?:^trl |scripts[./])([a-z_-]+?)(?:\.py)?$", run.launch.program)
        if named is not None:
            kind = named[1].replace("_", "-")
            if kind in ("grpo", "rloo", "sft", "dpo", "kto", "reward", "vllm-serve", "distillation"):
                return kind
        return kind_of_launch(run.launch, world) or "grpo"
    if isinstance(document, Document):
        from grpolint.frameworks.trl import kind_of_keys

        return (kind_of_keys(set(document.root.keys())) if isinstance(document.root, Mapping) else None) or "grpo"
    from grpolint.frameworks.trl.python import kind_of_calls

    return kind_of_calls(document)


def _launched(run: Run, world: World, kind: str) -> str | None:
    """A launch: YAML of `--config` first, then the flags over it, then the launcher's own options.

    Returns the DeepSpeed file that the flags name, as typed.
    """
    assert run.launch is not None
    own = run.launch.program.startswith("trl ")
    layers = Layers(run, world, kind, launcher=own)
    script = None if own else script_source(run.launch, world)
    if script is not None and kind_of_text(script.text) is not None and not parses(script.text):
        from grpolint.documents import python
        from grpolint.frameworks.trl.python import put_python

        put_python(run, world, python.parse(script), kind, layers)
        compose_launcher(run, world)
        return None
    if script is not None:
        _own_code(run, script, layers)
    reading = read_flags(run.launch.argv, layers.syntax())
    for_launcher: list[Word] = []
    config = reading.last("config")
    path: str | None = None
    if config is not None:
        path = reading.pattern("config")
    elif len(run.launch.argv) == 1 and reading.positionals:
        path = reading.positionals[0].pattern
    if path is not None and path.endswith((".yaml", ".yml")):
        for_launcher.extend(_read_yaml(path, run, world, layers))
    layers.open(reading.open_reason)
    for flag in reading.flags:
        if flag.dest == "config":
            continue
        if own and _is_launcher(flag, layers):
            for_launcher.extend(flag.words)
            continue
        layers.put(flag.setting("trl"))
    if own:
        _unknown(run, layers)
    for flag in reading.flags:
        if flag.bare and not run.stranger:
            about_flags(run, Reading([flag]), layers.syntax().tables, layers.trl.version, "TRL")
    compose_launcher(run, world, for_launcher)
    return reading.pattern("deepspeed")


def _own_keys(run: Run, layers: Layers) -> None:
    """A file with options that neither TRL nor those who extend its classes have is read by somebody's own code."""
    for setting in layers.unknown_keys():
        if setting.key.split(".", 1)[0] not in EXTENSIONS:
            run.stranger = run.source.path
            layers.open(f"fork:{setting.key}")
            return


def _own_code(run: Run, script: Source, layers: Layers) -> None:
    """A script in the tree that does not read TRL's own configs has defaults that nobody knows; one may also have a trainer
    of its own.
    """
    if kind_of_text(script.text) is None:
        run.stranger = run.program
        layers.open(f"program:{run.program}")
    else:
        run.stranger = own_trainer(script.text) or ""


def _unknown(run: Run, layers: Layers) -> None:
    """Complain of options that neither TRL's command nor the launcher below it knows."""
    for setting in layers.unknown_keys():
        unknown_key(
            run,
            "trl",
            setting.key,
            span=setting.span,
            detail=f"trl {layers.trl.version.text} has no option {setting.key} for {layers.kind} and refuses to start with it",
            known=layers.names(),
            certain=not layers.trl.version.assumed and not layers.transformers.version.assumed,
            tables=(*layers.trl.tables, *layers.transformers.tables),
        )


def _is_launcher(flag: Flag, layers: Layers) -> bool:
    """Whether `trl grpo` passes an option on to `accelerate launch`: what its own classes do not know."""
    if layers.option(flag.dest.split(".", 1)[0]) is not None:
        return False
    return flag.dest in _LAUNCHER_KEYS or (flag.option is not None and flag.option.framework == "accelerate")


def _read_yaml(path: str, run: Run, world: World, layers: Layers) -> list[Word]:
    """Put the file of `--config`; returns what of it is meant for the launcher, as words."""
    from grpolint.frameworks.trees import yaml_root

    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        layers.open(missing_file(path, ""))
        return []
    _put_environment(root, source, run)
    return _put_yaml(root, source, layers, launcher=run.program.startswith("trl "))


def _put_yaml(root: Mapping, source: Source, layers: Layers, *, launcher: bool = False) -> list[Word]:
    from grpolint.frameworks.trees import tree_settings

    words: list[Word] = []
    for setting in tree_settings("trl", root, "yaml", "pyyaml", detail=source.path):
        head = setting.key.split(".", 1)[0]
        if head == "env":
            continue
        if launcher and head in _LAUNCHER_KEYS and layers.option(head) is None:
            words.append(_flag_word(setting))
            continue
        layers.put(layers.typed(setting))
    return words


def _flag_word(setting: Setting) -> Word:
    """A key of the YAML as the flag that TRL turns it into for the launcher."""
    value = setting.value
    shown = str(plain(value)) if isinstance(value, Known) else None
    head = Part(f"--{setting.key}=", None, value.origins)
    if shown is not None:
        return Word((Part(f"--{setting.key}={shown}", None, value.origins),), setting.span)
    reason = value.reason if isinstance(value, Unknown) else "expression"
    return Word((head, Part(None, reason, value.origins)), setting.span)


def _put_environment(root: Mapping, source: Source, run: Run) -> None:
    """TrlParser sets the variables of the file's `env` section."""
    from grpolint.frameworks.trees import node_value

    section = root.get("env")
    if not isinstance(section, Mapping):
        return
    for entry in section.entries:
        origin = Origin("config file", entry.span, source.path)
        value = node_value(entry.value, "pyyaml", origin)
        known = isinstance(value, Known)
        part = Part(str(plain(value)), None, (origin,)) if known else Part(None, "expression", (origin,))
        run.env[entry.key] = Word((part,), entry.span)


def _vllm(run: Run, world: World) -> None:
    """VLLM's options as TRL sets them when it runs the engine itself."""
    from grpolint.catalog import table

    if plain(run.value("trl", "use_vllm")) is not True or plain(run.value("trl", "vllm_mode")) != "colocate":
        return
    version = world.version("vllm")
    engine = table("vllm", "engine", version.text)

    def default(key: str) -> Value | None:
        if key in _TO_VLLM:
            return run.value("trl", _TO_VLLM[key])
        return engine.default(key) if engine is not None else None

    run.settings["vllm"] = Settings("vllm", version, default, tables=(engine,) if engine is not None else ())


def _serve(run: Run, world: World) -> None:
    """`trl vllm-serve`: an engine of vLLM, with TRL's own defaults for the options that TRL declares."""
    from grpolint.catalog import table
    from grpolint.frameworks.vllm.compose import put_flags
    from grpolint.frameworks.vllm.facts import FACTS

    assert run.launch is not None
    version = world.version("vllm")
    own = table("trl", "vllm_serve", world.version("trl").text)
    engine = table("vllm", "engine", version.text)

    def default(key: str) -> Value | None:
        declared = own.option(key) if own is not None else None
        if declared is not None:
            return declared.default
        return engine.default(key) if engine is not None else None

    settings = Settings("vllm", version, default, tables=(each for each in (own, engine) if each is not None))
    run.settings["vllm"] = settings
    run.settings["trl"] = Settings("trl", world.version("trl"))
    put_flags(run.launch.argv, settings, world, model=False)
    run.providers.append(FACTS)
