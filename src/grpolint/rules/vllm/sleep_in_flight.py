"""vLLM's sleep while work is on its way to the GPU.

## What it checks
Sleep mode of vLLM before 0.25 where requests or transfers can be in flight when it is called: a server with
`--enable-sleep-mode`, a KV connector, or verl's asynchronous trainer on shared devices.

## Why it matters
Before 0.25 vLLM unmapped its memory without waiting for kernels that were still running, at either sleep level and on
every GPU: an illegal memory access that ends the engine. Trainers that wait for all samples before they let it sleep are
not concerned.

## Example
    vllm serve Qwen/Qwen3-8B --enable-sleep-mode      with vllm 0.19.1

## Instead
    pip install 'vllm>=0.25'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, Undecided, rule
from grpolint.versions import satisfies

_MODE = "verl:trainer.v1.trainer_mode"


@rule(
    id="VL005",
    name="sleep-in-flight",
    summary="vLLM sleeps before 0.25 while requests may be in flight",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:rollout_engine": "vllm", "fact:rollout_sleep": True},
    evidence=(
        Evidence(
            "vllm-project/vllm#45552",
            "https://github.com/vllm-project/vllm/pull/45552",
            "sleep() and wake_up() did not wait for the device before memory was unmapped, at level 1 and 2 alike.",
        ),
        Evidence(
            "vllm-project/vllm#28714",
            "https://github.com/vllm-project/vllm/issues/28714",
            "An illegal memory access where a server is put to sleep while it handles requests.",
        ),
        Evidence(
            "vllm 0.25.0: vllm/v1/worker/gpu_worker.py",
            "https://github.com/vllm-project/vllm/blob/v0.25.0/vllm/v1/worker/gpu_worker.py",
            "Worker.sleep() waits for the device first; 0.24.0 does not.",
        ),
    ),
    aliases=("D10", "D14", "N04"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if something may be in flight."""
    place: Place
    if run.run.trainer == "vllm" and run.run.launch is not None:
        place = ("fact:rollout_sleep", "put to sleep by whoever calls the server")
    elif run.is_set("vllm:kv_transfer_config"):
        place = ("vllm:kv_transfer_config", "transfers of its own")
    elif run.is_set(_MODE) and run.text(_MODE) == "colocate_async":
        place = (_MODE, "samples are still being drawn")
    else:
        return
    if run.text("fact:rollout_engine") != "vllm" or run.known("fact:rollout_sleep") is not True:
        return
    vllm = run.run.settings.get("vllm")
    release = vllm.version.text if vllm is not None else run.release("vllm")
    if release is None:
        raise Undecided("version:vllm")
    if satisfies(release, "<0.25"):
        yield run.finding(
            f"vLLM {release} does not wait for running kernels before it sleeps: work in flight ends in an illegal memory access",
            place,
            ("fact:rollout_sleep", "sleep mode"),
            help="use vLLM 0.25 or later, or let it sleep only when nothing is in flight",
        )
