"""How many processes a LLaMA-Factory run has: its command starts torchrun itself where several devices are visible."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks import processes
from grpolint.frameworks.asking import times
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine

__all__ = ["FACTS", "world_size"]


def _by_command(run: Run) -> bool:
    return run.launch is None or run.launch.program.endswith(" train")


def _variable(run: Run, name: str) -> Value | None:
    return combine(int, run.environment(name))


def nodes(run: Run) -> Value | None:
    """Machines: one unless the variable says otherwise. None for a file that nothing starts."""
    if not _by_command(run):
        return processes.nodes(run)
    if run.launch is None:
        return None
    return _variable(run, "NNODES") or Known(1, ())


def gpus_per_node(run: Run) -> Value | None:
    """Processes on each machine: one for each visible device unless the variable says otherwise."""
    if not _by_command(run):
        return processes.gpus_per_node(run)
    if run.launch is None:
        return None
    return _variable(run, "NPROC_PER_NODE") or processes.visible_devices(run) or Unknown(processes.ALL_GPUS)


def world_size(run: Run) -> Value | None:
    """Processes over all machines."""
    if run.launch is None:
        return Unknown("computed:number of processes")
    if not _by_command(run):
        return processes.world_size(run)
    return combine(times, nodes(run), gpus_per_node(run))


FACTS: Mapping[str, FactFunction] = {"nodes": nodes, "gpus_per_node": gpus_per_node, "world_size": world_size}
