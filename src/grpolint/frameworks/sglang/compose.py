"""Settings of an SGLang server or engine: configuration file first, then the command line over it."""

from __future__ import annotations

from grpolint.catalog import table
from grpolint.documents.nodes import Document
from grpolint.documents.python import PythonDocument
from grpolint.frameworks.asking import settings_for
from grpolint.frameworks.complaining import about_flags
from grpolint.frameworks.flags import Syntax, expand, read_flags
from grpolint.frameworks.sglang import ENGINES
from grpolint.run import Run
from grpolint.world import World

__all__ = ["compose", "syntax"]

_ALIASES = {
    "tp": "tp_size",
    "tensor_parallel_size": "tp_size",
    "dp": "dp_size",
    "data_parallel_size": "dp_size",
    "pp": "pp_size",
    "pipeline_parallel_size": "pp_size",
    "ep": "ep_size",
    "expert_parallel_size": "ep_size",
    "model": "model_path",
}
_SWITCHES = frozenset(
    {
        "trust_remote_code",
        "disable_cuda_graph",
        "disable_radix_cache",
        "enable_memory_saver",
        "enable_torch_compile",
        "enable_dp_attention",
        "enable_metrics",
        "skip_tokenizer_init",
        "enable_mixed_chunk",
        "disable_overlap_schedule",
        "log_requests",
    }
)
"""Switches that have been such in every release, for the case that the catalog has no table."""


def syntax(version: str) -> Syntax:
    """How SGLang reads its command line: plain argparse."""
    server = table("sglang", "server", version)
    tables = (server,) if server is not None else ()
    return Syntax("sglang", tables, aliases=_ALIASES, switches=frozenset() if tables else _SWITCHES, abbreviations=True)


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run with the settings of a server that is launched or of engines made in Python."""
    settings = settings_for(run, world, "sglang", "server")
    if run.launch is not None:
        reading = read_flags(run.launch.argv, syntax(settings.version.text))
        settings.open_reason = reading.open_reason
        about_flags(run, reading, syntax(settings.version.text).tables, settings.version, "SGLang", free=("config",))
        config = reading.last("config")
        if config is not None:
            from grpolint.frameworks.vllm.compose import read_config

            read_config(reading.pattern("config"), settings, world)
        for flag in reading.flags:
            if flag.dest != "config":
                for setting in expand(flag.setting("sglang")):
                    settings.put(setting)
    elif isinstance(document, PythonDocument):
        from grpolint.frameworks.pycalls import calls, put_calls

        put_calls([*calls(document, *ENGINES)], settings)
    from grpolint.frameworks.sglang.facts import FACTS

    run.providers.append(FACTS)
