"""A batch job of several nodes that starts its program on the first one only.

## What it checks
`#SBATCH --nodes` above 1, and torchrun for as many nodes without `srun`, `mpirun`, `ssh` or `pdsh` in front of it.

## Why it matters
Slurm runs the script on the first node. Whatever is to run on the others needs srun: torchrun waits for nodes that never come.

## Example
    #SBATCH --nodes=2
    torchrun --nnodes 2 --nproc_per_node 8 ... train.py

## Instead
    srun torchrun --nnodes 2 --nproc_per_node 8 ... train.py

## Fix safety
None is offered: the tasks of the job have to fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, above, rule

_REMOTE = ("srun", "mpirun", "mpiexec", "orterun", "prterun", "ssh", "pdsh", "sbatch")


@rule(
    id="EN026",
    name="first-node-only",
    summary="a batch job of several nodes starts torchrun on the first one only",
    severity=Severity.ERROR,
    when={"fact:launcher": "torchrun", "fact:nodes": above(1)},
    evidence=(
        Evidence(
            "Slurm documentation: sbatch",
            "https://slurm.schedmd.com/sbatch.html",
            "The batch script runs on the first node of the allocation.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing carries the launch to the other nodes."""
    launch = run.run.launch
    if launch is None or any(name in _REMOTE for name in launch.wrappers):
        return
    asked = next((each for each in reversed(launch.directives) if each[0] == "nodes"), None)
    options = launcher_options(run.run, "torchrun")
    count = options.last("nnodes") if options is not None else None
    nodes = run.integer("fact:nodes")
    if asked is None or count is None or count.span is None or nodes is None or nodes < 2:
        return
    if asked[1].split("#")[0].strip() != str(nodes):
        return
    yield run.finding(
        f"the job has {nodes} nodes and the script runs on the first one: torchrun waits for {nodes - 1} more in vain",
        Label(count.span, f"waits for {nodes} nodes"),
        Label(asked[2], "the job's nodes"),
        help="put srun in front of torchrun, with one task on each node",
    )
