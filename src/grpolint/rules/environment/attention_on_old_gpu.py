"""FlashAttention 2 on a GPU before Ampere.

## What it checks
Compute capability below 8.0 (V100, T4, RTX 2080 Ti) with `attn_implementation` flash_attention_2: as set for TRL, or as verl's FSDP
engine takes it where nothing else is set.

## Why it matters
FlashAttention 2 raises in the first forward: "FlashAttention only supports Ampere GPUs or newer".

## Example
    grpolint check run.sh --gpu v100   # verl, actor.strategy fsdp

## Instead
    +actor_rollout_ref.model.override_config.attn_implementation=sdpa actor_rollout_ref.model.use_remove_padding=False

## Fix safety
None is offered: the attention of the model changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, above, rule
from grpolint.versions import satisfies

_VERL = "verl:actor_rollout_ref.model.override_config.attn_implementation"
_TRL = ("trl:attn_implementation", "transformers:attn_implementation")


@rule(
    id="EN034",
    name="flash-attention-before-ampere",
    summary="FlashAttention 2 on a GPU before Ampere",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4", "trl": ""},
    when={"fact:gpu_memory": above(0)},
    evidence=(
        Evidence(
            "Dao-AILab/flash-attention: csrc/flash_attn/flash_api.cpp",
            "https://github.com/Dao-AILab/flash-attention/blob/main/csrc/flash_attn/flash_api.cpp",
            "Checks that the device is Ampere or newer.",
        ),
        Evidence(
            "verl 0.6.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/fsdp_workers.py",
            "attn_implementation is flash_attention_2 unless override_config says otherwise.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    capability = run.known("fact:gpu_capability")
    if capability is None or tuple(capability) >= (8, 0):
        return
    places: list[Place] = []
    if run.run.trainer == "verl":
        chosen = run.text(_VERL) if run.is_set(_VERL) else "flash_attention_2"
        if run.text("fact:engine") in ("fsdp", "fsdp2") and chosen == "flash_attention_2":
            places = [_VERL]
    else:
        places.extend([ref for ref in _TRL if run.text(ref) == "flash_attention_2"][:1])
    if places:
        version = ".".join(map(str, capability))
        yield run.finding(
            f"FlashAttention 2 needs compute capability 8.0, and {run.text('fact:gpu')} has {version}",
            *places,
            "fact:gpu",
            help=_remedy(run),
        )


def _remedy(run: Inquiry) -> str:
    if run.run.trainer == "verl" and satisfies(run.run.settings["verl"].version.text, "<0.6"):
        return "use verl 0.6 or later, with attn_implementation sdpa and without use_remove_padding"
    return "use attn_implementation sdpa, without use_remove_padding"
