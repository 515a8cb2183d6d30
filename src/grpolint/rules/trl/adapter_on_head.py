"""An adapter on the output head.

## What it checks
The target modules name `lm_head`, in GRPO, RLOO, DPO or KTO since TRL 1.15, or in GRPO with `use_liger_kernel`
before.

## Why it matters
The log-probabilities are computed from the weight of the head itself: an adapter on it would never be trained. TRL
refuses it since 1.7 with Liger and since 1.15 always.

## Example
    LoraConfig(target_modules=["q_proj", "v_proj", "lm_head"])

## Instead
    LoraConfig(target_modules=["q_proj", "v_proj"])

## Fix safety
None is offered: which modules are adapted is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies

_PLACES = ("peft:target_modules", "trl:lora_target_modules")


@rule(
    id="TR034",
    name="adapter-on-head",
    summary="a LoRA adapter on lm_head",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.7"},
    when={"peft:target_modules|trl:lora_target_modules": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "GRPOTrainer raises ValueError for an adapted head; so do the trainers of RLOO, DPO and KTO.",
        ),
        Evidence(
            "trl 1.8.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.8.0/trl/trainer/grpo_trainer.py",
            "Raises ValueError only with use_liger_kernel; first released in 1.7.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where the modules are named."""
    if (run.number("fact:lora_rank") or 0) < 1 or "unsloth" in run.run.settings:
        return
    always = satisfies(run.run.settings["trl"].version.text, ">=1.15")
    trainer = run.text("fact:trainer_kind") or ""
    if always and trainer not in ("grpo", "rloo", "dpo", "kto"):
        return
    if not always and (trainer != "grpo" or run.flag("transformers:use_liger_kernel") is not True):
        return
    for place in _PLACES:
        modules = run.known(place)
        listed = modules if isinstance(modules, list) else str(modules or "").split()
        if "lm_head" in listed:
            yield run.finding(
                "the adapter covers lm_head, whose weight TRL reads directly: it would never be trained, and TRL refuses it",
                (place, "names lm_head"),
                help="leave lm_head out of the target modules",
            )
            return
