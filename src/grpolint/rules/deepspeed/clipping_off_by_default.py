"""Gradient clipping that is off because nobody wrote it.

## What it checks
A DeepSpeed configuration without `gradient_clipping` under a release whose default is 0.0, which means no clipping.

## Why it matters
Recipes assume a norm of 1.0. Without clipping one bad batch can blow up a policy update, and nothing in the log says that
clipping is off. From 0.19.3 on the default is 1.0.

## Example
    {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}}

## Instead
    {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}, "gradient_clipping": 1.0}

## Fix safety
Unsafe: clipping changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.values import Default


@rule(
    id="DS001",
    name="clipping-off-by-default",
    summary="gradient clipping is off because the release's default is 0.0",
    severity=Severity.WARNING,
    frameworks={"deepspeed": "<0.19.3"},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8068",
            "https://github.com/deepspeedai/DeepSpeed/pull/8068",
            "Changes the default from 0. (off) to 1.0; first released in 0.19.3, an explicit 0.0 still turns clipping off.",
        ),
    ),
    aliases=("D02", "N16"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the effective clipping is the default zero."""
    if run.run.settings["deepspeed"].open_reason is not None:
        raise NotApplicable
    if run.text("fact:optimizer") == "muon":  # clipping a Muon step is a fault of its own
        raise NotApplicable
    value = run.ask("deepspeed:gradient_clipping")
    if isinstance(value, Default) and not value.value:
        yield run.finding(
            "gradients are not clipped: gradient_clipping is absent and this DeepSpeed release reads that as 0.0 (off)",
            "deepspeed:gradient_clipping",
            changes=(SetOption("deepspeed", "gradient_clipping", 1.0),),
        )
