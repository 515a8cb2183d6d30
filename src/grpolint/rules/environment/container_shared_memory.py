"""A container with 64 MB of shared memory.

## What it checks
`docker run` of a trainer with neither `--shm-size` nor `--ipc=host` nor a mount of /dev/shm.

## Why it matters
/dev/shm of a container is 64 MB by default. NCCL, the workers of data loaders and Ray's object store need more of it: "unhandled
system error", "Bus error", or an object store on disk.

## Example
    docker run --gpus all image python3 -m verl.trainer.main_ppo ...

## Instead
    docker run --gpus all --ipc=host image python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: how much memory the container may take is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.environment._containers import container_options

_ENOUGH = ("--shm-size", "--ipc", "--pod")


@rule(
    id="EN029",
    name="container-shared-memory",
    summary="docker run with the default of 64 MB of shared memory",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:container": ("docker run", "podman run")},
    evidence=(
        Evidence(
            "Docker documentation: docker container run",
            "https://docs.docker.com/reference/cli/docker/container/run/",
            "--shm-size is 64 MB by default.",
        ),
        Evidence(
            "NVIDIA/nccl: documentation, troubleshooting",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
            "Docker limits shared and pinned memory; --shm-size=1g --ulimit memlock=-1 is advised.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing makes it larger."""
    words = container_options(run, "docker run", "podman run")
    if words is None:
        return
    if any(word.prefix.startswith(_ENOUGH) or "/dev/shm" in word.pattern for word in words):  # noqa: S108
        return
    yield run.finding("this container has 64 MB of shared memory", help="add --ipc=host or --shm-size=16g")
