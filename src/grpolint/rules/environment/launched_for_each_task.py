"""A launcher that Slurm starts once for each GPU.

## What it checks
`srun` with several tasks on each node in front of a program that starts the processes of a node by itself: torchrun, accelerate,
deepspeed, or a trainer on Ray.

## Why it matters
With 8 tasks and `--nproc_per_node 8` each node runs 64 processes, which fight for ports and devices; a trainer on Ray is started 8
times.

## Example
    #SBATCH --ntasks-per-node=8
    srun torchrun --nproc_per_node 8 train.py

## Instead
    #SBATCH --ntasks-per-node=1
    srun torchrun --nproc_per_node 8 train.py

## Fix safety
None is offered: the directives of the job are for the author to change.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.digits import whole
from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.run import Run
from grpolint.values import Known, Unknown

_ON_RAY = ("verl", "rllm", "easyr1", "skyrl", "openrlhf", "slime")


@rule(
    id="EN025",
    name="launched-for-each-task",
    summary="srun starts a launcher several times on each node",
    severity=Severity.ERROR,
    when={"fact:slurm_step": "srun"},
    evidence=(
        Evidence(
            "Slurm documentation: srun",
            "https://slurm.schedmd.com/srun.html",
            "srun starts the command once for each task; its options go before those of the job.",
        ),
        Evidence(
            "pytorch documentation: torchrun",
            "https://docs.pytorch.org/docs/stable/elastic/run.html",
            "torchrun is to be started once on each node and starts nproc_per_node workers itself.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a node has more than one task."""
    launch = run.run.launch
    if launch is None or "srun" not in launch.wrappers:
        return
    launcher = run.text("fact:launcher") or (run.run.trainer if run.run.trainer in _ON_RAY else None)
    found = _tasks(run.run)
    if launcher is None or found is None or found[0] < 2:
        return
    tasks, label = found
    processes = launcher_options(run.run, launcher) if launcher == "torchrun" else None
    each = processes.value("nproc_per_node") if processes is not None else None
    more = ""
    if isinstance(each, Known) and isinstance(each.value, int) and each.value > 1:
        more = f": {tasks} * {each.value} = {tasks * each.value} processes"
    yield run.finding(
        f"srun starts {launcher} {tasks} times on each node{more}", label, help="give srun --ntasks-per-node=1"
    )


def _tasks(run: Run) -> tuple[int, Label] | None:
    """Tasks on each node and where that is said; None where nothing is said. Raises Undecided for an unknown number."""
    options = launcher_options(run, "srun")
    flag = options.last("ntasks_per_node") if options is not None else None
    if options is None or (flag is None and any(options.last(name) for name in ("ntasks", "nodes"))):
        return None
    if flag is not None:
        if isinstance(flag.value, Unknown):
            raise Undecided(f"srun --ntasks-per-node ({flag.value.reason})")
        value = flag.value.value
        return (value, Label(flag.span, "once for each task")) if isinstance(value, int) and flag.span else None
    for name, text, span in reversed(run.launch.directives if run.launch is not None else ()):
        if name == "ntasks-per-node" and (number := whole(text.split("#")[0].strip())) is not None:
            return number, Label(span, "once for each task")
    return None
