"""A reference model where there is no use for one.

## What it checks
ref_model with adapters (the reference is the base model without them), or with a kind of training that has no
reference (cpo, orpo, simpo, rm, gkd).

## Why it matters
The run ends with a ValueError before training.

## Example
    swift rlhf --rlhf_type dpo --tuner_type lora --ref_model Qwen/Qwen2.5-7B-Instruct

## Instead
    swift rlhf --rlhf_type dpo --tuner_type lora

## Fix safety
Safe: it prevents the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SW014",
    name="reference-model-refused",
    summary="ref_model where ms-swift takes none",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.3"},
    when={"ms-swift:ref_model": SET},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "RLHFArguments raises ValueError for ref_model unless all parameters are trained by dpo, kto, ppo or grpo.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind, rank = run.text("ms-swift:rlhf_type"), run.known("fact:lora_rank")
    if run.known("ms-swift:ref_model") is None or kind is None or "megatron" in run.run.settings:
        return
    if kind == "grpo" and run.number("ms-swift:beta") == 0:
        return
    full = rank == 0
    if kind in ("dpo", "kto", "ppo", "grpo") and full:
        return
    why = f"{kind} has no reference model" if full else "with adapters the base model is the reference"
    yield run.finding(
        f"ref_model is refused: {why}",
        "ms-swift:ref_model",
        "ms-swift:rlhf_type",
        changes=(RemoveOption("ms-swift", "ref_model", safe=True),),
    )
