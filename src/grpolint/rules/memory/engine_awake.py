"""An engine that never sleeps.

## What it checks
The rollout engine shares the devices of the trainer, takes 0.75 of their memory or more, and does not give it back: `free_cache_engine` off in
verl, no `vllm_enable_sleep_mode` in TRL, no `vllm.enable_sleep` in OpenRLHF.

## Why it matters
The update has to do with what is left: out of memory in the first backward for all but small models.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.9)

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.3)

## Fix safety
None is offered: a smaller share and sleeping are both remedies.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_MUCH = 0.75


@rule(
    id="MM021",
    name="engine-awake-while-training",
    summary="a colocated engine that keeps most of the device while training",
    severity=Severity.WARNING,
    frameworks={"verl": "", "trl": "", "openrlhf": ""},
    when={"fact:rollout_memory": above(0.74), "fact:rollout_colocated": True, "fact:rollout_sleep": False},
    evidence=(
        Evidence(
            "huggingface/trl#2688",
            "https://github.com/huggingface/trl/issues/2688",
            "Eight H100 and out of memory with a share of 0.9; the default became 0.3.",
        ),
        Evidence(
            "trl 0.19.1: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v0.19.1/trl/trainer/grpo_config.py",
            "vllm_gpu_memory_utilization is 0.3 by default where the devices are shared.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/config/rollout/rollout.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/rollout/rollout.yaml",
            "free_cache_engine frees the memory of the engine after each rollout.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if little is left for the trainer."""
    share = run.number("fact:rollout_memory")
    if share is None or not _MUCH <= share <= 1 or run.text("fact:rollout_engine") not in ("vllm", "sglang"):
        return
    if run.known("fact:rollout_colocated") is not True or run.known("fact:rollout_sleep") is not False:
        return
    if run.run.trainer == "trl" and run.release("trl") is None and not run.is_set("trl:vllm_mode"):
        return  # where vLLM runs depends on the release
    if any("unsloth" in source.text for source in run.run.sources):
        return  # its engine holds the only copy of the weights
    yield run.finding(
        f"the engine keeps {share:.0%} of each GPU while the policy is trained on it: {1 - share:.0%} is left",
        ("fact:rollout_memory", "share of the engine"),
        ("fact:rollout_sleep", "is never given back"),
        ("fact:rollout_colocated", "on the trainer's devices"),
        help="let the engine sleep during the update, or lower its share to 0.3 to 0.5",
    )
