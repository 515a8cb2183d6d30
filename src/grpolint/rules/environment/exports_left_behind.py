"""Variables exported outside the container or machine in which the program starts.

## What it checks
`export NAME=value` before `docker run`, `docker exec`, `podman` or `ssh`, for a variable that NCCL, PyTorch, vLLM, Ray, Hugging Face
or CUDA read, where nothing hands it on (`-e NAME`, `--env-file`, the text of the remote command).

## Why it matters
A container and a remote shell start with an environment of their own: the program runs without the variable.

## Example
    export NCCL_P2P_DISABLE=1
    docker run --gpus all --ipc=host image python3 -m verl.trainer.main_ppo ...

## Instead
    docker run --gpus all --ipc=host -e NCCL_P2P_DISABLE=1 image python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.environment._names import read_by_programs

_WRAPPERS = ("docker run", "docker exec", "podman run", "podman exec", "ssh")
_HANDED_ON = ("--env-file", "--env-host", "SendEnv", "SetEnv")


@rule(
    id="EN012",
    name="exports-left-behind",
    summary="variables exported outside the container or machine that the program starts in",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:left_behind": above(0)},
    evidence=(
        Evidence(
            "Docker documentation: docker container run",
            "https://docs.docker.com/reference/cli/docker/container/run/#env",
            "A container gets the variables of -e and --env-file; a name without a value takes that of the shell.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding with all of them."""
    launch = run.run.launch
    if launch is None:
        return
    at = next((index for index, name in enumerate(launch.wrappers) if name in _WRAPPERS), None)
    if at is None:
        return
    words = launch.wrapper_argv[at] if at < len(launch.wrapper_argv) else ()
    texts = [word.pattern for word in words]
    if any(mark in text for text in texts for mark in _HANDED_ON) or any(not word.known for word in words[:-1]):
        return
    used = {origin.detail for word in (*launch.argv, *words) for origin in word.origins}
    handed = used | {text.removeprefix("--env=").removeprefix("-e") for text in texts}
    lost = [name for name in launch.left_behind if name not in handed and read_by_programs(name)]
    if lost:
        spans = [next((o.span for o in launch.left_behind[name].origins if o.span is not None), None) for name in lost]
        yield run.finding(
            f"{', '.join(lost)} {'do' if lost[1:] else 'does'} not reach the program: {launch.wrappers[at]} starts with an environment of its own",
            *(Label(span, "exported outside") for span in spans if span is not None),
            help=f"hand them on ({'-e NAME' if launch.wrappers[at] != 'ssh' else 'NAME=value in the remote command'})",
        )
