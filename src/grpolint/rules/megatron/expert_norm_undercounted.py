"""A gradient norm without most of the experts.

## What it checks
A mixture of experts with expert and tensor parallel sizes above 1 and `clip_grad` above zero, before Megatron Core
0.19.

## Why it matters
Parameters of experts are not marked as split over ranks, so that the norm counts those of the first tensor parallel
rank only. It is too small, and gradients are clipped later than `clip_grad` says.

## Example
    --num-experts 64 --expert-model-parallel-size 8 --tensor-model-parallel-size 2 --sequence-parallel --clip-grad 1.0

## Instead
    pip install 'megatron-core>=0.19'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule, show


@rule(
    id="MG072",
    name="expert-norm-undercounted",
    summary="the gradient norm counts experts of the first tensor rank only before 0.19",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"megatron": ">=0.11,<0.19"},
    when={"fact:ep": above(1), "fact:tp": above(1), "megatron:transformer_impl": "transformer_engine"},
    evidence=(
        Evidence(
            "NVIDIA/Megatron-LM#5916",
            "https://github.com/NVIDIA/Megatron-LM/pull/5916",
            "Marks the parameters of experts so that all shards count in the norm; first in 0.19.0.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/extensions/transformer_engine.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/extensions/transformer_engine.py",
            "Expert layers get the attribute that the norm goes by.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    experts, shards = run.integer("fact:ep"), run.integer("fact:tp")
    if experts is None or shards is None or experts < 2 or shards < 2:
        return
    if run.text("megatron:transformer_impl") != "transformer_engine":
        return
    norm = run.number("fact:clip_norm")
    if norm is not None and norm > 0:
        version = run.run.settings["megatron"].version.text
        yield run.finding(
            f"Megatron {version} leaves most experts out of the gradient norm with expert parallel size {experts} and tensor "
            f"parallel size {shards}: clipping at {show(norm)} comes too late",
            ("fact:ep", "experts are spread"),
            ("fact:tp", f"{shards} ranks"),
            ("fact:clip_norm", "clipped here"),
            notes=("fixed in megatron-core 0.19.0",),
            help="use megatron-core 0.19 or later, and read norms of earlier releases with care",
        )
