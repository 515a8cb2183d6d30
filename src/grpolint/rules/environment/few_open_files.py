"""A low limit of open files.

## What it checks
The script sets the limit of open files (`ulimit -n`, `prlimit --nofile`, `docker run --ulimit nofile=`) below 4096 for a run
that uses Ray or offloads to NVMe.

## Why it matters
Ray keeps connections between all of its processes, data loaders share memory through file descriptors, and NVMe offloading
opens a file for each operation. A low limit ends in "Too many open files" hours later. What exact number is enough nobody has
shown; 65535 is what most scripts set.

## Example
    ulimit -n 1024
    python3 -m verl.trainer.main_ppo ...

## Instead
    ulimit -n 65535
    python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the hard limit of the machine decides what is possible.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, below, rule

_FEW = 4096
_ON_RAY = ("verl", "openrlhf", "rllm", "slime", "easyr1", "skyrl")


@rule(
    id="EN003",
    name="few-open-files",
    summary="the limit of open files is set below 4096",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:open_files": below(_FEW)},
    evidence=(
        Evidence(
            "ray-project/ray#29696",
            "https://github.com/ray-project/ray/issues/29696",
            "Jobs could not be submitted any more until the limit was raised to 65535; no rule for the number is known.",
            "partly",
        ),
        Evidence(
            "deepspeedai/DeepSpeed#8075",
            "https://github.com/deepspeedai/DeepSpeed/pull/8075",
            "NVMe offloading that left descriptors open met the limit.",
        ),
    ),
    aliases=("D11",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a low limit with something that needs many files."""
    limit = run.integer("fact:open_files")
    if limit is None or limit >= _FEW:
        return
    place: Place = ""
    user = "Ray" if run.run.trainer in _ON_RAY else ""
    for name in ("offload_params", "offload_optimizer"):
        if not user and run.text(f"fact:{name}") == "nvme":
            user, place = "NVMe offloading", (f"fact:{name}", "offloaded to NVMe")
    if user:
        places = [("fact:open_files", f"{limit} files"), *([place] if place else [])]
        yield run.finding(
            f"the limit of open files is {limit}, which {user} can outgrow: a long or large run then stops",
            *places,
            help="set 65535 or the hard limit (ulimit -n hard)",
        )
