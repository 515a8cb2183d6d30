"""A variable that begins with NCCL_ and that nothing reads.

## What it checks
Names that people set and nothing reads (`NCCL_TIMEOUT`), names that NCCL no longer reads (`NCCL_TREE_THRESHOLD`), and names that are
one slip away from a variable of NCCL (`NCCL_SOCKET_IFNAMES`).

## Why it matters
The run behaves as if the line were not there: a collective still times out after the trainer's own limit.

## Example
    export NCCL_TIMEOUT=7200

## Instead
    --ddp_timeout 7200   # the Trainer; actor_rollout_ref.nccl_timeout=7200 for verl before 0.8

## Fix safety
None is offered: another variable or option is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.environment._names import NCCL

_TIMEOUT = "the limit of a collective is the trainer's"
_UNREAD = {
    "NCCL_TIMEOUT": _TIMEOUT,
    "NCCL_SOCKET_TIMEOUT": "no release of NCCL has it",
    "NCCL_TREE_THRESHOLD": "NCCL 2.5 removed it; NCCL_ALGO chooses the algorithm",
    "NCCL_LL_THRESHOLD": "NCCL 2.5 removed it; NCCL_PROTO chooses the protocol",
    "NCCL_IB_CUDA_SUPPORT": "NCCL 2.4 removed it; NCCL_NET_GDR_LEVEL took its place",
}
_LIMITS = {
    "verl": "actor_rollout_ref.nccl_timeout (seconds; verl before 0.8 reads it)",
    "trl": "--ddp_timeout (seconds)",
    "openrlhf": "the timeout of its process groups in the code",
}
_OWN = ("NCCL_LIB", "NCCL_VER", "NCCL_HOME", "NCCL_ROOT", "NCCL_PATH", "NCCL_INCLUDE", "NCCL_IBEXT", "NCCL_NVLS_VAL")


@rule(
    id="EN016",
    name="nccl-variable-unread",
    summary="a variable that begins with NCCL_ and that nothing reads",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:nccl_variables": above(0)},
    evidence=(
        Evidence(
            "NVIDIA/nccl: documentation of the environment variables",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html",
            "The list has no NCCL_TIMEOUT, and says in which release the thresholds were removed.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for name in run.run.env:
        if not name.startswith("NCCL_") or name in NCCL or name.startswith(_OWN):
            continue
        why = _UNREAD.get(name)
        meant = ""
        if why is None:
            from difflib import get_close_matches

            meant = next(iter(get_close_matches(name, NCCL, n=1, cutoff=0.93)), "")
            if not meant:
                continue
        instead = _LIMITS.get(run.run.trainer, "the timeout of the trainer") if why == _TIMEOUT else ""
        yield run.finding(
            f"nothing reads {name}" + (f": {why}" if why else f"; NCCL reads {meant}"),
            (f"env:{name}", "without effect"),
            help=f"set {instead} instead" if instead else (f"write {meant}" if meant else "remove it"),
        )
