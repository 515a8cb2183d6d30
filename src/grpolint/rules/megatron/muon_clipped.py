"""Muon under Megatron's one global norm.

## What it checks
The optimizer is Muon and `--clip-grad` is above zero, written or by the default of 1.0.

## Why it matters
Megatron clips by the norm of all gradients together and hands every optimizer the same coefficient. Muon forgets the
scale of a single gradient, so that in normal ranges the coefficient changes little: it weighs steps against each other in the
momentum. With norms of ten million and more it pushes matrices under the floor of the orthogonalisation, and training
stands still. The cause of such norms is then to be found first; AdamW suffers from them too.

## Example
    torchrun pretrain_gpt.py --optimizer muon --clip-grad 1.0

## Instead
    torchrun pretrain_gpt.py --optimizer muon --clip-grad 0

## Fix safety
None is offered: whether to clip is a choice; watch the norm of the gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="MG009",
    name="muon-clipped-globally",
    summary="Muon with Megatron's global gradient clipping",
    severity=Severity.INFO,
    frameworks={"megatron": ">=0.16"},
    when={"fact:optimizer": ("muon", "dist_muon", "adaptive_muon"), "fact:clip_norm": above(0)},
    evidence=(
        Evidence(
            "NVIDIA/Megatron-LM#5394",
            "https://github.com/NVIDIA/Megatron-LM/issues/5394",
            "With gradient norms of 5e7 and more the coefficient pushed gradients under the floor and training stalled.",
            "partly",
        ),
        Evidence(
            "megatron-core 0.19.2: megatron/core/optimizer/optimizer.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.2/megatron/core/optimizer/optimizer.py",
            "ChainedOptimizer clips all of its optimizers by one norm.",
        ),
    ),
    aliases=("N13", "N02"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if Muon's gradients are clipped."""
    if run.run.trainer != "megatron" or "muon" not in (run.text("fact:optimizer") or ""):
        return
    norm = run.number("fact:clip_norm")
    if norm is not None and norm > 0:
        yield run.finding(
            f"Megatron clips Muon's gradients to a global norm of {norm}, which stalls training where norms are extreme",
            ("megatron:optimizer", "Muon"),
            ("megatron:clip_grad", "one norm for all parameters"),
            help="watch the norm of the gradients; --clip-grad 0 shows whether clipping is the cause",
        )
