"""The arguments of the SGLang or vLLM engines that AReaL starts: its sections `sglang` and `vllm`, and the allocation."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.catalog import table
from grpolint.frameworks.areal.facts import opt, part
from grpolint.run import FactFunction, Run, Settings
from grpolint.values import Value, plain
from grpolint.world import World

__all__ = ["put_engines"]

_TABLES = {"sglang": "server", "vllm": "engine"}
_MADE: Mapping[str, Mapping[str, FactFunction]] = {
    "sglang": {"tp_size": part("rollout", lambda found: found.t)},
    "vllm": {
        "tensor_parallel_size": part("rollout", lambda found: found.t),
        "pipeline_parallel_size": part("rollout", lambda found: found.p),
    },
}
"""What the allocation decides."""


def put_engines(run: Run, world: World, *, rl: bool) -> None:
    """Add the settings of the engine that generates, as defaults of its own framework with AReaL's origins."""
    backend = plain(part("rollout", lambda found: found.backend)(run)) if rl else None
    if backend not in _TABLES:
        return
    version = world.version(backend)
    options = table(backend, _TABLES[backend], version.text)

    def default(key: str) -> Value | None:
        made = _MADE[backend].get(key)
        value = made(run) if made is not None else opt(f"{backend}.{key}")(run)
        if value is not None:
            return value
        return options.default(key) if options is not None else None

    run.settings[backend] = Settings(backend, version, default, tables=(options,) if options is not None else ())
