"""Which accelerators the trainer takes, and which ones a rollout server that the same script starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import times
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.launch import Launch, Word
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, combine, plain

__all__ = ["FACTS", "SERVERS"]

SERVERS = re.compile(r"trl vllm-serve|vllm serve|(.*[./])?trl[./]scripts[./]vllm_serve(\.py)?")
"""Programs that serve a model for a trainer of TRL."""

_ELSEWHERE = frozenset(
    {"srun", "ssh", "pdsh", "mpirun", "docker run", "docker exec", "kubectl", "sbatch", "ray job submit"}
)
"""Wrappers that may start a program on another machine."""

_DEVICES = 1024
"""Devices that no single machine has."""


def _trainer(run: Run) -> Value | None:
    """The first devices that the program sees, one a process; accelerate's own list comes before the variable."""
    launch = run.launch
    nodes = run.fact("nodes")
    if launch is None or not _here(launch) or not (plain(nodes) == 1 or isinstance(nodes, Unknown)):
        return None
    listed = run.setting("accelerate", "gpu_ids")
    if listed is not None and plain(listed.value) not in ("all", None):
        return combine(_split, listed.value)
    # however many machines there are, the first visible device of this one is taken
    count = Known(1, ()) if isinstance(nodes, Unknown) else run.fact("world_size")
    return _taken(run.env.get("CUDA_VISIBLE_DEVICES"), count)


def _server(run: Run) -> Value | None:
    """The devices of the one server that the script starts on this machine."""
    started = [each for each in run.launches if SERVERS.fullmatch(each.program) and each is not run.launch]
    if len(started) != 1 or not _here(started[0]) or started[0].condition is not None:
        return None
    reading = read_flags(started[0].argv, Syntax("vllm", aliases={"-tp": "tensor_parallel_size"}))
    sizes = [reading.value(f"{name}_parallel_size") or Known(1, ()) for name in ("tensor", "data", "pipeline")]
    if reading.open_reason is not None:
        return Unknown(reading.open_reason)
    devices = _taken(started[0].env.get("CUDA_VISIBLE_DEVICES"), combine(times, *sizes))
    return combine(lambda ids, _: ids, devices, Known(0, (Origin("launch", started[0].span, "server"),)))


def _here(launch: Launch) -> bool:
    return not _ELSEWHERE.intersection(launch.wrappers)


def _taken(visible: Word | None, count: Value | None) -> Value | None:
    """So many of the visible devices, from the first on; without a list they are counted from 0."""
    if visible is None:
        return combine(_counted, count)
    if visible.text is None:
        return Unknown(visible.reason or "env:CUDA_VISIBLE_DEVICES", visible.origins)
    return combine(lambda ids, number: _split(ids)[: int(number)], Known(visible.text, visible.origins), count)


def _counted(number: Any) -> list[str]:
    if int(number) > _DEVICES:
        raise ValueError("more than any machine has")
    return [str(each) for each in range(int(number))]


def _split(ids: object) -> list[str]:
    return [each.strip() for each in str(ids).split(",") if each.strip()]


FACTS: Mapping[str, FactFunction] = {"trainer_devices": _trainer, "server_devices": _server}
"""Facts of a trainer that a script starts."""
