"""Processes that the machines do not share evenly.

## What it checks
accelerate's `num_processes`, which counts over all machines, must be a multiple of `num_machines`.

## Why it matters
Each machine starts num_processes / num_machines, rounded down: the rest never runs, and with fewer processes than
machines none does.

## Example
    accelerate launch --num_machines 3 --num_processes 8 train.py

## Instead
    accelerate launch --num_machines 3 --num_processes 24 train.py

## Fix safety
None is offered: the number of devices is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="TR074",
    name="processes-not-whole-machines",
    summary="num_processes is not a multiple of num_machines",
    severity=Severity.WARNING,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:num_machines": above(1)},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/launch.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/launch.py",
            "nproc_per_node is num_processes // num_machines.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation."""
    settings = run.run.settings["accelerate"]
    if settings.get("num_machines") is None or settings.get("num_processes") is None:
        return
    machines = Size.of(run, Term("accelerate:num_machines", "num_machines", "machines"))
    if machines is None or machines.value < 2:
        return
    processes = Size.of(run, Term("accelerate:num_processes", "num_processes", "over all machines"))
    if processes is not None and processes.value > 0:
        none = processes.value < machines.value
        why = "no machine starts any" if none else "each machine starts its share, rounded down"
        yield from multiple(run, processes, machines, why, severity=Severity.ERROR if none else None)
