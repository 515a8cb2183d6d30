"""Parameters of a quantized model are to be trained.

## What it checks
quantization_bit with finetuning_type full or freeze, or with resize_vocab.

## Why it matters
Quantized weights cannot be trained; the run ends with a ValueError.

## Example
    llamafactory-cli train --finetuning_type full --quantization_bit 4

## Instead
    llamafactory-cli train --finetuning_type lora --quantization_bit 4

## Fix safety
Unsafe: an adapter trains other parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="LF004",
    name="quantized-without-adapter",
    summary="a quantized base model without an adapter",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"llamafactory:quantization_bit": SET},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "_verify_model_args raises ValueError for quantization_bit with any tuning but lora and oft, and with resize_vocab.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    bits = run.known("llamafactory:quantization_bit")
    if bits is None:
        return
    kind = run.text("llamafactory:finetuning_type")
    if kind not in ("lora", "oft", None):
        yield run.finding(
            f"quantization_bit {bits} with finetuning_type {kind} is refused: quantized weights are not trained",
            ("llamafactory:quantization_bit", "a quantized base model"),
            ("llamafactory:finetuning_type", "trains it"),
            changes=(SetOption("llamafactory", "finetuning_type", "lora"),),
        )
    if run.flag("llamafactory:resize_vocab") is True:
        yield run.finding(
            "resize_vocab is refused for a quantized model",
            "llamafactory:resize_vocab",
            "llamafactory:quantization_bit",
            help="take resize_vocab out",
        )
