"""More processes than the script leaves devices visible.

## What it checks
The number of devices in `CUDA_VISIBLE_DEVICES`, as the script sets it for the launch, against the devices for each
node that the launch asks for (`--nproc_per_node`, `--num_processes`, `trainer.n_gpus_per_node`) or that a server
needs (tensor * pipeline parallel size).

## Why it matters
The surplus processes stop with "invalid device ordinal"; Ray reports that the cluster has too few GPUs, or waits for
them.

## Example
    CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node 8 train.py

## Instead
    CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node 4 train.py

## Fix safety
None is offered: which of the two is right is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term

_VARIABLE = "CUDA_VISIBLE_DEVICES"
_ENGINES = {
    "vllm": ("vllm:tensor_parallel_size", "vllm:pipeline_parallel_size", "vllm:nnodes"),
    "sglang": ("sglang:tp_size", "sglang:pp_size", "sglang:nnodes"),
}
"""Options of a server for its ranks and its nodes."""


@rule(
    id="EN002",
    name="more-processes-than-devices",
    summary="more processes than CUDA_VISIBLE_DEVICES leaves visible",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "CUDA documentation: environment variables",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables",
            "Only devices in CUDA_VISIBLE_DEVICES are visible to the program, numbered from 0.",
        ),
        Evidence(
            "verl 0.9.1: verl/single_controller/ray/base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/single_controller/ray/base.py",
            "A pool that needs more GPUs than Ray has raises ValueError.",
        ),
    ),
    when={"env:CUDA_VISIBLE_DEVICES": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    launch = run.run.launch
    if launch is None or _VARIABLE not in run.run.env or any("ray" in wrapper for wrapper in launch.wrappers):
        return  # the nodes of a Ray job do not see this shell
    listed = [each.strip() for each in (run.text(f"env:{_VARIABLE}") or "").split(",")]
    if not all(each.isdigit() for each in listed):
        return
    needed = _needed(run)
    if needed is not None and needed.value > len(listed):
        yield run.finding(
            f"this launch wants {needed.value} devices on each node, but {_VARIABLE} leaves {len(listed)} visible",
            *needed.places,
            (f"env:{_VARIABLE}", f"{len(listed)} devices"),
            help="make both the same",
        )


def _needed(run: Inquiry) -> Size | None:
    """Devices that the launch wants on each node."""
    engine = _ENGINES.get(run.run.trainer)
    if engine is None:
        return Size.of(run, Term("fact:gpus_per_node", "devices", "wanted on each node"))
    if run.text(f"{run.run.trainer}:distributed_executor_backend") == "ray" or (run.integer(engine[2]) or 1) > 1:
        return None
    return Size.of(run, Term(engine[0], "tensor parallel"), Term(engine[1], "pipeline parallel", assume=1))
