"""Expandable segments on an NPU with sleep mode.

## What it checks
`PYTORCH_NPU_ALLOC_CONF` with `expandable_segments:True` in a run whose vLLM sleeps between steps.

## Why it matters
vllm-ascend asserts that the two are not together when the engine is made: the run stops.

## Example
    export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True   # rollout.free_cache_engine=True

## Instead
    export PYTORCH_NPU_ALLOC_CONF=expandable_segments:False

## Fix safety
None is offered: without expandable segments memory fragments more.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_NAME = "env:PYTORCH_NPU_ALLOC_CONF"


@rule(
    id="AS012",
    name="npu-expandable-segments-with-sleep",
    summary="expandable_segments:True in PYTORCH_NPU_ALLOC_CONF with sleep mode",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    when={_NAME: SET, "fact:rollout_sleep": True},
    evidence=(
        Evidence(
            "vllm-ascend 0.18.0: vllm_ascend/device_allocator/camem.py",
            "https://github.com/vllm-project/vllm-ascend/blob/v0.18.0/vllm_ascend/device_allocator/camem.py",
            "CaMemAllocator asserts that expandable_segments:True is not in PYTORCH_NPU_ALLOC_CONF; so do 0.9.1 to 0.13.0.",
        ),
        Evidence(
            "modelscope/ms-swift#6636",
            "https://github.com/modelscope/ms-swift/issues/6636",
            "Sleep mode on NPU wants expandable_segments:False.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are there."""
    if "expandable_segments:True" not in (run.text(_NAME) or ""):
        return
    if run.text("fact:rollout_engine") == "vllm" and run.known("fact:rollout_sleep") is True:
        yield run.finding(
            "vllm-ascend does not start with expandable segments and sleep mode",
            (_NAME, "expandable segments"),
            ("fact:rollout_sleep", "sleep mode"),
            help="set expandable_segments:False, or do not let the engine sleep",
        )
