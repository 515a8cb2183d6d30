"""Settings of a vLLM server or engine: configuration file first, then the command line over it."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.catalog import Table, table
from grpolint.documents.nodes import Document
from grpolint.documents.python import PythonDocument
from grpolint.frameworks.asking import find_file, missing_file, settings_for
from grpolint.frameworks.complaining import about_flags
from grpolint.frameworks.flags import Reading, Syntax, expand, read_flags, word_value
from grpolint.launch import Word
from grpolint.run import Run, Setting, Settings
from grpolint.values import Origin
from grpolint.world import World

__all__ = ["compose", "put_flags", "read_config", "syntax"]

_SHORT = {
    "-tp": "tensor_parallel_size",
    "-pp": "pipeline_parallel_size",
    "-dp": "data_parallel_size",
    "-dpn": "data_parallel_rank",
    "-dpr": "data_parallel_start_rank",
    "-dpl": "data_parallel_size_local",
    "-dpa": "data_parallel_address",
    "-dpp": "data_parallel_rpc_port",
    "-dpb": "data_parallel_backend",
    "-ep": "enable_expert_parallel",
    "-dcp": "decode_context_parallel_size",
    "-pcp": "prefill_context_parallel_size",
    "-q": "quantization",
    "-cc": "compilation_config",
    "-sc": "speculative_config",
    "-ac": "attention_config",
    "-O": "optimization_level",
    "-n": "nnodes",
    "-r": "node_rank",
    "-asc": "api_server_count",
}
_SWITCHES = frozenset(
    {
        "enforce_eager",
        "trust_remote_code",
        "enable_prefix_caching",
        "enable_chunked_prefill",
        "enable_lora",
        "enable_sleep_mode",
        "enable_expert_parallel",
        "disable_log_requests",
        "disable_log_stats",
        "enable_auto_tool_choice",
        "disable_custom_all_reduce",
        "enable_reasoning",
    }
)
"""Switches that have been such in every release, for the case that the catalog has no table."""


def syntax(version: str) -> Syntax:
    """How vLLM reads its command line."""
    found = (table("vllm", name, version) for name in ("serve", "engine"))
    tables: tuple[Table, ...] = tuple(each for each in found if each is not None)
    switches = frozenset() if tables else _SWITCHES
    return Syntax("vllm", tables, aliases=_SHORT, switches=switches, abbreviations=True, human=True)


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run with the settings of a server that is launched or of engines made in Python."""
    settings = settings_for(run, world, "vllm", "engine", "serve")
    if run.launch is not None:
        reading = put_flags(run.launch.argv, settings, world)
        about_flags(run, reading, syntax(settings.version.text).tables, settings.version, "vLLM", free=("config",))
    elif isinstance(document, PythonDocument):
        from grpolint.frameworks.pycalls import calls, put_calls

        put_calls([*calls(document, "LLM", "AsyncEngineArgs", "EngineArgs")], settings, ("model",))
    from grpolint.frameworks.vllm.facts import FACTS

    run.providers.append(FACTS)


def put_flags(words: Sequence[Word], settings: Settings, world: World, *, model: bool = True) -> Reading:
    """Put a vLLM command line into `settings`; with `model` the first positional word names the model."""
    reading = read_flags(words, syntax(settings.version.text))
    settings.open_reason = settings.open_reason or reading.open_reason
    config = reading.last("config")
    if config is not None:
        read_config(reading.pattern("config"), settings, world)
    if model and reading.positionals:
        word = reading.positionals[0]
        value = word_value(word, str, Origin("argument", word.span))
        settings.put(Setting("vllm", "model", value, word.span, "argument"))
    for flag in reading.flags:
        if flag.dest != "config":
            for setting in expand(flag.setting("vllm")):
                settings.put(setting)
    return reading


def read_config(path: str | None, settings: Settings, world: World) -> None:
    """Put the YAML file of `--config` under the command line; if it cannot be read the settings become open."""
    from grpolint.frameworks.trees import tree_settings, yaml_root

    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        settings.open_reason = missing_file(path, "config")
        return
    for setting in tree_settings(settings.framework, root, "yaml", "pyyaml", detail=source.path):
        head, dot, rest = setting.key.partition(".")
        key = head.replace("-", "_") + dot + rest
        settings.put(Setting(setting.framework, key, setting.value, setting.span, setting.form))
