"""vLLM's sleep mode together with expandable segments.

## What it checks
`PYTORCH_CUDA_ALLOC_CONF` turns on `expandable_segments` in a run whose vLLM engine can sleep, with a vLLM from 0.8 to
0.20. Which vLLM it is follows from `--with vllm==...`, else from the range that the trainer's release asks for.

## Why it matters
The memory pool behind sleep mode did not work with expandable segments: vLLM stops with an assertion when the engine
is made. Since 0.21 it switches them off for the pool itself.

## Example
    export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm      with verl 0.8

## Instead
    unset PYTORCH_CUDA_ALLOC_CONF
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm

## Fix safety
None is offered: the variable is shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.versions import satisfies

_VARIABLE = "PYTORCH_CUDA_ALLOC_CONF"
_ASSERTED = ">=0.8,<0.21"
_ASKED_FOR = {
    "verl": ((">=0.6.1,<0.9", True), (">=0.9.1", False)),
    "trl": ((">=0.24,<1.5", True), (">=1.16", False)),
    "openrlhf": ((">=0.6.4,<0.11", True), (">=0.11", False)),
}
"""Whether the vLLM that releases of a trainer ask for has the assertion, where all that they allow agree."""


@rule(
    id="VL002",
    name="expandable-segments-with-sleep",
    summary="expandable_segments:True with vLLM sleep mode",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "vllm 0.20.0: vllm/device_allocator/cumem.py",
            "https://github.com/vllm-project/vllm/blob/v0.20.0/vllm/device_allocator/cumem.py",
            "CuMemAllocator asserts that expandable_segments:True is not in PYTORCH_CUDA_ALLOC_CONF; the "
            "first release with it is 0.8.0.",
        ),
        Evidence(
            "vllm-project/vllm#40812",
            "https://github.com/vllm-project/vllm/pull/40812",
            "Expandable segments are switched off while memory for the pool is allocated; released in 0.21.0.",
        ),
        Evidence(
            "pytorch/pytorch#147851",
            "https://github.com/pytorch/pytorch/issues/147851",
            "Expandable segments and memory pools do not work together.",
        ),
    ),
    when={"env:PYTORCH_CUDA_ALLOC_CONF": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if _VARIABLE not in run.run.env or "expandable_segments:True" not in (run.text(f"env:{_VARIABLE}") or ""):
        return
    if run.text("fact:rollout_engine") != "vllm" or run.known("fact:rollout_sleep") is not True:
        return
    refused = _refused(run)
    if refused is None:
        raise Undecided("version:vllm")
    if refused:
        yield run.finding(
            f"{_VARIABLE} turns on expandable segments, with which vLLM's sleep mode does not work before 0.21",
            (f"env:{_VARIABLE}", "expandable segments"),
            ("fact:rollout_sleep", "sleep mode"),
            ("fact:rollout_engine", "vLLM generates"),
            help=f"do not set expandable_segments in {_VARIABLE}, turn sleep mode off, or use vLLM 0.21 or later",
        )


def _refused(run: Inquiry) -> bool | None:
    """Whether the vLLM of this run refuses; None where its release cannot be told."""
    given = run.release("vllm")
    if given is not None:
        return satisfies(given, _ASSERTED)
    trainer = run.run.settings.get(run.run.trainer)
    for range_, answer in _ASKED_FOR.get(run.run.trainer, ()):
        if trainer is not None and satisfies(trainer.version.text, range_):
            return answer
    return None
