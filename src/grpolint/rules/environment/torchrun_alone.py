"""A multi-node torchrun that can only find itself.

## What it checks
`torchrun --nnodes` above 1 with `--standalone`, with a rendezvous or master address of localhost, or with neither a rendezvous
backend nor a node rank.

## Why it matters
Every node waits for the others at its own address, or takes itself for node 0: all stop after the rendezvous timeout.

## Example
    torchrun --nnodes 2 --nproc_per_node 8 --standalone train.py

## Instead
    torchrun --nnodes 2 --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint "$HEAD_NODE:29500" train.py

## Fix safety
None is offered: the address of the first node is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.values import Known, Value

_LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104 - compared, not bound


@rule(
    id="EN024",
    name="torchrun-finds-itself",
    summary="torchrun for several nodes with a rendezvous on the node itself",
    severity=Severity.ERROR,
    when={"fact:launcher": "torchrun", "fact:nodes": above(1)},
    evidence=(
        Evidence(
            "pytorch: torch/distributed/run.py",
            "https://github.com/pytorch/pytorch/blob/main/torch/distributed/run.py",
            "--standalone makes the rendezvous at localhost; without options it is static at 127.0.0.1 with node rank 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first reason."""
    options = launcher_options(run.run, "torchrun")
    nodes = run.integer("fact:nodes")
    count = options.last("nnodes") if options is not None else None
    if options is None or nodes is None or nodes < 2 or count is None or options.open_reason is not None:
        return
    if any(name.startswith("PET_") for name in run.run.env):
        return  # torchrun takes options from there as well
    backend = options.value("rdzv_backend")
    static = backend is None or (isinstance(backend, Known) and backend.value == "static")
    rank = options.value("node_rank")
    first = isinstance(rank, Known) and str(rank.value) == "0"
    flag, why, severity = None, "", None
    if (flag := options.last("standalone")) is not None:
        why = "--standalone makes each node's rendezvous at localhost"
    elif _local(options.value("rdzv_endpoint")):
        flag, why = options.last("rdzv_endpoint"), "each node looks for the rendezvous on itself"
        severity = Severity.WARNING  # the other nodes may have a file of their own
    elif static and not first and options.value("rdzv_endpoint") is None and _local(options.value("master_addr")):
        flag, why = options.last("master_addr"), "each node looks for the first one on itself"
    elif static and rank is None:
        why = "without --node_rank and --rdzv_backend every node takes itself for node 0"
    if why:
        labels = [Label(each.span) for each in (flag, count) if each is not None and each.span is not None]
        yield run.finding(
            f"torchrun waits for {nodes} nodes and finds one: {why}",
            *labels,
            help="give --rdzv_backend c10d and --rdzv_endpoint HOST:PORT with the address of the first node",
            severity=severity,
        )


def _local(value: Value | None) -> bool:
    if not isinstance(value, Known) or any(origin.what == "fallback" for origin in value.origins):
        return False  # a default for a single machine
    host = str(value.value)
    return (host if host in _LOCAL else host.rsplit(":", 1)[0].strip("[]")) in _LOCAL
