"""How many processes an ms-swift run has: its commands start torchrun themselves, as `NPROC_PER_NODE` and `NNODES` say."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks import processes
from grpolint.frameworks.asking import times
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "world_size"]


def _by_variables(run: Run) -> bool:
    """Whether ms-swift's own command starts the processes; a module may be started by any launcher."""
    return run.launch is None or run.launch.program.startswith(("swift ", "megatron "))


def _variable(run: Run, name: str) -> Value | None:
    return combine(int, run.environment(name))


def nodes(run: Run) -> Value | None:
    """Machines; one where only the number of processes is set. None where nothing says it."""
    if not _by_variables(run):
        return processes.nodes(run)
    given = _variable(run, "NNODES")
    if given is None and run.environment("NPROC_PER_NODE") is not None:
        return Known(1, ())
    return given


def gpus_per_node(run: Run) -> Value | None:
    """Processes on each machine: a single one where only one device is visible. Where the script does not say it, it may be
    said outside.
    """
    if not _by_variables(run):
        return processes.gpus_per_node(run)
    given = _variable(run, "NPROC_PER_NODE")
    if given is not None:
        return given
    visible = processes.visible_devices(run)
    return visible if plain(visible) == 1 else Unknown("env:NPROC_PER_NODE")


def world_size(run: Run) -> Value | None:
    """Processes over all machines; on Ray the devices of the group that trains."""
    group = run.setting("ms-swift", "train.gpus")
    if group is not None:
        return group.value
    if not _by_variables(run):
        return processes.world_size(run)
    if run.launch is None and run.environment("NPROC_PER_NODE") is None:
        return Unknown("computed:number of processes")
    each = gpus_per_node(run)
    machines = nodes(run) or (Known(1, ()) if plain(each) == 1 else Unknown("env:NNODES"))
    return combine(times, machines, each)


FACTS: Mapping[str, FactFunction] = {"nodes": nodes, "gpus_per_node": gpus_per_node, "world_size": world_size}
