r"""Adapters on the vision tower that vLLM does not apply.

## What it checks
LoRA on all linear layers of a model of pictures in verl with vLLM, where neither `exclude_modules` leaves the tower out nor
adapters are merged before they are sent.

## Why it matters
vLLM applies adapters to the language model only and passes over those of the tower. Responses are then sampled from another policy
than the one that is trained, and the difference grows with training.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct actor_rollout_ref.model.lora_rank=64

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct actor_rollout_ref.model.lora_rank=64 \
        actor_rollout_ref.model.exclude_modules='.*visual.*'

## Fix safety
Unsafe: other layers are trained.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MODEL = "verl:actor_rollout_ref.model"


@rule(
    id="LO041",
    name="vision-adapters-unserved",
    summary="LoRA on the vision tower, whose adapters vLLM passes over",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.5"},
    when={"fact:multimodal": True, "fact:lora_rank": above(0), "fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "verl-project/verl#2182",
            "https://github.com/verl-project/verl/pull/2182",
            "Adds exclude_modules because vLLM applies adapters to the language model only, with curves of both.",
        ),
        Evidence(
            "vllm-project/vllm#23796",
            "https://github.com/vllm-project/vllm/issues/23796",
            "vLLM warns for each layer of the tower of Qwen2.5-VL that its adapter is ignored.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the tower gets adapters."""
    if not run.integer("fact:lora_rank") or run.text("fact:rollout_engine") != "vllm":
        return
    if run.known("fact:multimodal") is not True or run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return
    targets = run.known(f"{_MODEL}.target_modules")
    if targets not in ("all-linear", ["all-linear"]) or run.flag(f"{_MODEL}.lora.merge") is True:
        return
    if run.known(f"{_MODEL}.exclude_modules") not in (None, "", []):
        return
    yield run.finding(
        f"all-linear puts adapters on the vision tower of {run.text('fact:model')}, which vLLM passes over",
        ("fact:lora_rank", "adapters"),
        (f"{_MODEL}.target_modules", "all linear layers"),
        ("fact:model", "has a vision tower"),
        changes=(SetOption("verl", "actor_rollout_ref.model.exclude_modules", ".*visual.*"),),
    )
