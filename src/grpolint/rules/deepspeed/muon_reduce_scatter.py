"""Muon with gradients that are scattered before they are whole.

## What it checks
The optimizer is Muon and `reduce_scatter` is on, as it is by default: at ZeRO stage 3, and at stages 1 and 2 before
DeepSpeed 0.19.3.

## Why it matters
Muon orthogonalises whole matrices. At stages 1 and 2 a matrix that crosses the border of two partitions was orthogonalised
from partly reduced gradients, and the ranks silently went different ways. Stage 3 refuses the combination.

## Example
    {"optimizer": {"type": "Muon", "params": {"lr": 0.02}}, "zero_optimization": {"stage": 3}}

## Instead
    {"optimizer": {"type": "Muon", "params": {"lr": 0.02}}, "zero_optimization": {"stage": 3, "reduce_scatter": false}}

## Fix safety
Safe: stage 3 does not start with it, and the other stages train on wrong gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.values import plain
from grpolint.versions import satisfies

_SCATTER = "deepspeed:zero_optimization.reduce_scatter"


@rule(
    id="DS014",
    name="muon-reduce-scatter",
    summary="Muon with reduce_scatter",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.17.6"},
    when={"fact:optimizer": "muon", "fact:zero_stage": (1, 2, 3)},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#7807",
            "https://github.com/deepspeedai/DeepSpeed/issues/7807",
            "Matrices that cross a partition's border are orthogonalised from partly reduced gradients; ranks diverge.",
        ),
        Evidence(
            "deepspeed 0.19.3: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.3/deepspeed/runtime/zero/stage_1_and_2.py",
            "Matrices of Muon that several partitions share are reduced on all of their ranks; 0.19.2 has no such code.",
        ),
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/stage3.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/stage3.py",
            "Raises ValueError for Muon with reduce_scatter, since 0.18.9.",
        ),
    ),
    aliases=("N02",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if whole matrices are needed and scattered ones are reduced."""
    stage = run.integer("fact:zero_stage")
    if run.text("fact:optimizer") != "muon" or stage not in (1, 2, 3):
        return
    version = run.run.settings["deepspeed"].version.text
    wrong = satisfies(version, ">=0.18.9") if stage == 3 else satisfies(version, "<0.19.3")
    if not wrong or run.flag(_SCATTER) is not True:
        return
    if stage != 3 and plain(run.ask("fact:dp")) == 1:
        return
    effect = (
        "refused"
        if stage == 3
        else f"matrices are orthogonalised from partial gradients before 0.19.3 (this is {version})"
    )
    yield run.finding(
        f"Muon with reduce_scatter at ZeRO stage {stage}: {effect}",
        (_SCATTER, "scatters the gradient of a matrix"),
        ("fact:optimizer", "Muon"),
        ("fact:zero_stage", f"stage {stage}"),
        changes=(SetOption("deepspeed", "zero_optimization.reduce_scatter", value=False, safe=True),),
    )
