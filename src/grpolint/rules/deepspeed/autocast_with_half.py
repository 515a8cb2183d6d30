"""Autocast over a model in half precision.

## What it checks
The section `torch_autocast` together with `bf16` or `fp16`, with DeepSpeed from 0.17.2 to before 0.18.3; and
together with `zero_quantized_weights` in every release from 0.17.2 on.

## Why it matters
DeepSpeed stops with an assertion when the engine is made.

## Example
    {"torch_autocast": {"enabled": true, "dtype": "bfloat16"}, "bf16": {"enabled": true}}

## Instead
    {"torch_autocast": {"enabled": true, "dtype": "bfloat16"}}

## Fix safety
None is offered: which of the two is meant is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies

_AUTOCAST = "deepspeed:torch_autocast.enabled"


@rule(
    id="DS041",
    name="autocast-with-half-precision",
    summary="torch_autocast together with bf16 or fp16 from 0.17.2 to 0.18.2",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.17.2"},
    when={_AUTOCAST: True},
    evidence=(
        Evidence(
            "deepspeed 0.18.2: deepspeed/runtime/torch_autocast.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.18.2/deepspeed/runtime/torch_autocast.py",
            "Asserts that fp16, bf16 and quantized weights are off; 0.18.3 the last only.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_AUTOCAST) is not True:
        return
    refused = ["deepspeed:zero_optimization.zero_quantized_weights"]
    if satisfies(run.run.settings["deepspeed"].version.text, "<0.18.3"):
        refused = ["deepspeed:bf16.enabled", "deepspeed:fp16.enabled", *refused]
    for ref in refused:
        if run.flag(ref) is True:
            yield run.finding(
                f"torch_autocast and {ref.partition(':')[2]} exclude each other: DeepSpeed refuses it",
                (_AUTOCAST, "autocast"),
                (ref, "excluded"),
                help="keep one of them",
            )
