"""Facts of how the shell starts a program: what wraps it, which variables reach it and which do not.

Each exists only where there is something to tell, so that rules can be guarded by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Value

__all__ = ["FACTS"]

_CONTAINERS = ("docker run", "podman run", "docker exec", "podman exec")
_LAUNCHERS = ("torchrun", "deepspeed", "accelerate")


def _wrapped(names: tuple[str, ...]) -> FactFunction:
    """The innermost wrapper of the launch that is one of `names`."""

    def fact(run: Run) -> Value | None:
        if run.launch is None:
            return None
        found = next((name for name in reversed(run.launch.wrappers) if name in names), None)
        return Known(found, (Origin("launch", run.launch.span, found),)) if found is not None else None

    return fact


def _variables(prefix: str) -> FactFunction:
    """How many variables with that prefix the script sets."""

    def fact(run: Run) -> Value | None:
        number = sum(1 for name in run.env if name.startswith(prefix))
        return Known(number) if number else None

    return fact


def _counted(of: Callable[[Run], int]) -> FactFunction:
    def fact(run: Run) -> Value | None:
        number = of(run) if run.launch is not None else 0
        return Known(number) if number else None

    return fact


def _lost(run: Run) -> int:
    return sum(1 for slip in run.launch.slips if slip.kind == "lost-assignment") if run.launch is not None else 0


FACTS: Mapping[str, FactFunction] = {
    "container": _wrapped(_CONTAINERS),
    "launcher": _wrapped(_LAUNCHERS),
    "slurm_step": _wrapped(("srun",)),
    "ray_job": _wrapped(("ray job submit",)),
    "ray_commands": _counted(lambda run: len(run.launch.earlier) if run.launch is not None else 0),
    "unexported": _counted(lambda run: len(run.launch.unexported) if run.launch is not None else 0),
    "left_behind": _counted(lambda run: len(run.launch.left_behind) if run.launch is not None else 0),
    "lost_assignments": _counted(_lost),
    "nccl_variables": _variables("NCCL_"),
    "torch_nccl_variables": _variables("TORCH_NCCL_"),
    "ray_variables": _variables("RAY_"),
    "hccl_variables": _variables("HCCL_"),
}
