"""A rollout server of ms-swift that does not start.

## What it checks
swift rollout: vllm_pipeline_parallel_size above 1; multi_turn_scheduler with vllm_use_async_engine false; fewer
visible devices than vllm_tensor_parallel_size * vllm_data_parallel_size.

## Why it matters
The server ends with a ValueError, and the trainer waits for it until its timeout.

## Example
    CUDA_VISIBLE_DEVICES=0 swift rollout --model Qwen/Qwen2.5-7B --vllm_tensor_parallel_size 2

## Instead
    CUDA_VISIBLE_DEVICES=0,1 swift rollout --model Qwen/Qwen2.5-7B --vllm_tensor_parallel_size 2

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term


@rule(
    id="SW016",
    name="rollout-server-refused",
    summary="a swift rollout that does not start",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.8"},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/deploy_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/deploy_args.py",
            "RolloutArguments raises ValueError for pipeline parallelism, for several turns without the asynchronous engine, and for too few devices.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each reason."""
    if not run.run.program.endswith("rollout"):
        return
    if (run.integer("ms-swift:vllm_pipeline_parallel_size") or 1) > 1:
        yield run.finding("a rollout server has no pipeline stages", "ms-swift:vllm_pipeline_parallel_size")
    scheduler = run.known("ms-swift:multi_turn_scheduler")
    if scheduler is not None and run.flag("ms-swift:vllm_use_async_engine") is False:
        yield run.finding(
            f"multi_turn_scheduler {scheduler} needs the asynchronous engine",
            "ms-swift:vllm_use_async_engine",
            "ms-swift:multi_turn_scheduler",
        )
    visible = run.text("env:CUDA_VISIBLE_DEVICES")
    needed = Size.of(
        run,
        Term("ms-swift:vllm_tensor_parallel_size", "vllm_tensor_parallel_size", assume=1),
        Term("ms-swift:vllm_data_parallel_size", "vllm_data_parallel_size", assume=1),
    )
    devices = len([each for each in (visible or "").split(",") if each.strip()])
    if needed is not None and devices and devices < needed.value:
        yield run.finding(
            f"{devices} visible devices for {needed.equation}",
            ("env:CUDA_VISIBLE_DEVICES", f"{devices} devices"),
            *needed.places,
        )
