"""Gradient clipping in the parameters of the optimizer.

## What it checks
`optimizer.params.max_grad_norm` in a DeepSpeed configuration.

## Why it matters
DeepSpeed refuses it when it builds the optimizer: clipping belongs to `gradient_clipping` at the top level.

## Example
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6, "max_grad_norm": 1.0}}}

## Instead
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6}}, "gradient_clipping": 1.0}

## Fix safety
Safe: it only lets the run get past the error, with the norm that was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NORM = "optimizer.params.max_grad_norm"


@rule(
    id="DS010",
    name="clipping-in-optimizer",
    summary="optimizer.params.max_grad_norm is refused",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/engine.py",
            "_configure_basic_optimizer raises ValueError and names gradient_clipping.",
        ),
    ),
    when={"deepspeed:optimizer.params.max_grad_norm": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.setting("deepspeed", _NORM) is not None:
        yield run.finding(
            "max_grad_norm is no parameter of the optimizer: DeepSpeed refuses it there",
            (f"deepspeed:{_NORM}", "refused"),
            changes=(RenameOption("deepspeed", _NORM, "gradient_clipping", safe=True),),
        )
