"""How many processes an axolotl run has: its command starts accelerate or torchrun itself."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks import processes
from grpolint.frameworks.asking import times
from grpolint.frameworks.flags import Reading, Syntax, read_flags
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "world_size"]


def _by_command(run: Run) -> bool:
    return run.launch is not None and run.launch.program == "axolotl train"


def _launcher(run: Run) -> tuple[str, Reading]:
    """The launcher and its options: those behind `--`, and `--num-processes` of the command."""
    assert run.launch is not None
    words = list(run.launch.argv)
    cut = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    own = read_flags(words[:cut], Syntax("axolotl"))
    given = read_flags(words[cut + 1 :], Syntax("launcher", switches=frozenset({"multi_gpu", "standalone"})))
    given.flags += [flag for flag in own.flags if flag.dest == "num_processes"]
    return str(plain(own.value("launcher")) or "accelerate"), given


def nodes(run: Run) -> Value | None:
    """Machines; None for a file that nothing starts."""
    if not _by_command(run):
        return processes.nodes(run)
    launcher, given = _launcher(run)
    return given.value("nnodes" if launcher == "torchrun" else "num_machines") or Known(1, ())


def gpus_per_node(run: Run) -> Value | None:
    """Processes on each machine: one for each device unless the launcher is told otherwise."""
    if not _by_command(run):
        return processes.gpus_per_node(run)
    launcher, given = _launcher(run)
    if launcher == "python":
        return Known(1, ())
    if launcher == "torchrun":
        return given.value("nproc_per_node") or Known(1, ())
    each = combine(lambda all_, machines: int(all_) // int(machines), given.value("num_processes"), nodes(run))
    return each or processes.visible_devices(run) or Unknown(processes.ALL_GPUS)


def world_size(run: Run) -> Value | None:
    """Processes over all machines."""
    if not _by_command(run):
        return processes.world_size(run)
    return combine(times, nodes(run), gpus_per_node(run))


FACTS: Mapping[str, FactFunction] = {"nodes": nodes, "gpus_per_node": gpus_per_node, "world_size": world_size}
