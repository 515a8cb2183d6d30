"""Gradient clipping of a Muon step on DeepSpeed.

## What it checks
The optimizer is Muon and `gradient_clipping` is above zero, written or by the default of 1.0 that DeepSpeed has since
0.19.3.

## Why it matters
DeepSpeed orthogonalises first and clips afterwards, so the norm that is clipped is that of the finished Muon step, which
is large by construction: every step is divided by its own norm and the learning rate loses its meaning.

## Example
    {"optimizer": {"type": "Muon", "params": {"lr": 0.02}}, "gradient_clipping": 1.0}

## Instead
    {"optimizer": {"type": "Muon", "params": {"lr": 0.02}}, "gradient_clipping": 0.0}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="DS003",
    name="muon-step-clipped",
    summary="DeepSpeed clips the finished Muon step to gradient_clipping",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8439",
            "https://github.com/deepspeedai/DeepSpeed/issues/8439",
            "Measured: with gradient_clipping 1.0 each Muon step is divided by its own norm, 4 to 86 times smaller.",
        ),
        Evidence(
            "deepspeedai/DeepSpeed#7776",
            "https://github.com/deepspeedai/DeepSpeed/pull/7776",
            "Clipping is applied after the orthogonalisation.",
        ),
    ),
    aliases=("N02",),
    when={"fact:optimizer": "muon"},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if Muon's step is clipped."""
    if run.text("fact:optimizer") != "muon":
        return
    norm = run.number("deepspeed:gradient_clipping")
    if norm is not None and norm > 0:
        yield run.finding(
            f"DeepSpeed clips the orthogonalised Muon step to norm {norm}: every step is divided by its own norm",
            ("deepspeed:gradient_clipping", "clipped after the orthogonalisation"),
            ("fact:optimizer", "Muon"),
            changes=(SetOption("deepspeed", "gradient_clipping", 0.0),),
        )
