"""A quantized base model with nothing to train.

## What it checks
`load_in_4bit` or `load_in_8bit` of TRL without `use_peft`.

## Why it matters
Quantized weights cannot be trained, and without an adapter there are no others: the Trainer refuses the model.

## Example
    trl sft --load_in_4bit true

## Instead
    trl sft --load_in_4bit true --use_peft true

## Fix safety
Unsafe: it trains an adapter.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.lora._model_arguments import reads_model_arguments
from grpolint.rules.relations import off, on, together


@rule(
    id="LO060",
    name="quantized-base-untrainable",
    summary="a base model in 4 or 8 bits without an adapter",
    severity=Severity.ERROR,
    frameworks={"trl": ""},
    when={"trl:load_in_4bit|trl:load_in_8bit": True, "trl:use_peft": False},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/trainer_utils.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer_utils.py",
            "Raises ValueError for a quantized model without adapters; 4.51 has the same check in the Trainer.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/model_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/model_config.py",
            "The helps say that both work only with LoRA.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of the two widths."""
    for bits in (4, 8):
        if not reads_model_arguments(run, f"load_in_{bits}bit"):
            continue
        yield from together(
            run,
            f"load_in_{bits}bit without use_peft: a base model in {bits} bits cannot be trained itself",
            on(f"trl:load_in_{bits}bit", f"{bits} bits"),
            off("trl:use_peft"),
            changes=(SetOption("trl", "use_peft", value=True),),
        )
