"""A stale trace after generation under ZeRO-3.

## What it checks
A TRL trainer that generates with the policy itself (no vLLM) under ZeRO stage 3, with TRL before 1.5.0 and
DeepSpeed before 0.19.2. Which DeepSpeed it is only `--with deepspeed==...` or a requirements file tells.

## Why it matters
Hooks are taken off for generation and put back, and the recorded order of parameters stays. The next forward pass
follows the old one: an IndexError about an empty deque at the second step, with gradient checkpointing above all.

## Example
    accelerate launch -m trl.scripts.grpo --deepspeed zero3.json --gradient_checkpointing true      with trl 0.24, deepspeed 0.18.9

## Instead
    pip install 'trl>=1.5.0' 'deepspeed>=0.19.2'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.versions import satisfies


@rule(
    id="DS039",
    name="stale-trace-after-generation",
    summary="ZeRO-3 with generation in the trainer before TRL 1.5.0 and DeepSpeed 0.19.2",
    severity=Severity.WARNING,
    confidence=Confidence.LOW,
    frameworks={"trl": "<1.5"},
    when={"fact:zero_stage": 3, "fact:rollout_engine": "hf"},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8043",
            "https://github.com/deepspeedai/DeepSpeed/pull/8043",
            "Invalidates the trace where hooks come back; shows the IndexError with unwrap_model_for_generation; released in 0.19.2.",
        ),
        Evidence(
            "huggingface/trl#4693",
            "https://github.com/huggingface/trl/pull/4693",
            "The same from the side of TRL; released in 1.5.0.",
        ),
    ),
    default=False,
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.integer("fact:zero_stage") != 3 or run.text("fact:rollout_engine") != "hf":
        return
    if run.flag("transformers:gradient_checkpointing") is not True:
        return
    trl, deepspeed = run.release("trl"), run.release("deepspeed")
    if trl is None or deepspeed is None:
        raise Undecided("version:trl" if trl is None else "version:deepspeed")
    if satisfies(trl, "<1.5") and satisfies(deepspeed, "<0.19.2"):
        yield run.finding(
            f"generation under ZeRO-3 leaves a stale trace in DeepSpeed {deepspeed} with TRL {trl}: the next step can stop with an IndexError",
            ("fact:zero_stage", "stage 3"),
            ("fact:rollout_engine", "the trainer's model generates"),
            ("transformers:gradient_checkpointing", "recomputes"),
            notes=("fixed in trl 1.5.0 and in deepspeed 0.19.2",),
            help="update either of the two, or generate with vLLM",
        )
