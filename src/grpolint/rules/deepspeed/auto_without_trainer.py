"""`auto` that nobody fills.

## What it checks
Batch sizes, clipping or optimizer parameters of `auto` in a dictionary that a Python file hands to
`deepspeed.initialize`.

## Why it matters
Only the Trainer of Transformers and accelerate replace `auto`. DeepSpeed computes with the text and stops with a
TypeError.

## Example
    deepspeed.initialize(model=model, config={"train_micro_batch_size_per_gpu": "auto", "bf16": {"enabled": True}})

## Instead
    deepspeed.initialize(model=model, config={"train_micro_batch_size_per_gpu": 2, "bf16": {"enabled": True}})

## Fix safety
None is offered: the numbers are the author's.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.values import Unknown

_KEYS = (
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "gradient_clipping",
    "optimizer.params.lr",
    "optimizer.params.weight_decay",
)


@rule(
    id="DS043",
    name="auto-without-trainer",
    summary="auto in a configuration that deepspeed.initialize gets",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    frameworks={"deepspeed": ""},
    when={"|".join(f"deepspeed:{key}" for key in _KEYS): SET},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/config.py",
            "Batch sizes are multiplied and compared as they stand.",
        ),
        Evidence(
            "transformers 5.10.1: src/transformers/integrations/deepspeed.py",
            "https://github.com/huggingface/transformers/blob/v5.10.1/src/transformers/integrations/deepspeed.py",
            "HfTrainerDeepSpeedConfig fills auto from the arguments of the Trainer.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer != "deepspeed" or run.run.launch is not None or not run.run.source.path.endswith(".py"):
        return
    if "transformers" in run.run.settings:
        return
    for key in _KEYS:
        value = run.ask(f"deepspeed:{key}")
        if isinstance(value, Unknown) and value.reason.startswith("auto:"):
            yield run.finding(
                f"{key} is auto, which only the Trainer of Transformers fills: deepspeed.initialize computes with the text",
                (f"deepspeed:{key}", "never filled"),
                help="write the number",
            )
