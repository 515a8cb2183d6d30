"""A container that sees no GPU.

## What it checks
`docker run` or `podman run` of a trainer without `--gpus`, `--runtime`, `--device`, `--privileged` or `NVIDIA_VISIBLE_DEVICES`.

## Why it matters
Unless the daemon's default runtime is NVIDIA's, the container has no GPU: "No CUDA GPUs are available".

## Example
    docker run --ipc=host image python3 -m verl.trainer.main_ppo ...

## Instead
    docker run --gpus all --ipc=host image python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: which devices the container may have is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.environment._containers import container_options

_RUNS = ("docker run", "podman run")
_DEVICES = ("--gpus", "--runtime", "--device", "--privileged", "--hooks-dir")


@rule(
    id="EN028",
    name="container-without-gpus",
    summary="docker run without a GPU for the container",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:container": _RUNS},
    evidence=(
        Evidence(
            "Docker documentation: GPU support",
            "https://docs.docker.com/engine/containers/gpu/",
            "A container gets NVIDIA GPUs with --gpus.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if no option gives the container devices."""
    words = container_options(run, *_RUNS)
    if words is None:
        return  # what stands in a variable may give them
    if any(word.prefix.startswith(_DEVICES) or "VISIBLE_DEVICES" in word.pattern for word in words):
        return
    yield run.finding("this container is started without a GPU", help="add --gpus all")
