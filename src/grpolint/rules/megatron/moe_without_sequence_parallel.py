"""A mixture of experts under tensor parallelism without sequence parallelism.

## What it checks
A model with experts, a tensor parallel size above 1, and `sequence_parallel` off: on Megatron's command line, where
off is the default, in slime, and in verl, where somebody has to switch it off.

## Why it matters
The layer of experts raises ValueError at the first training step, when the model is loaded and the first batch has
been generated.

## Example
    --num-experts 64 --tensor-model-parallel-size 4

## Instead
    --num-experts 64 --tensor-model-parallel-size 4 --sequence-parallel

## Fix safety
Safe: without it the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.megatron._transformer import place, size


@rule(
    id="MG022",
    name="experts-without-sequence-parallel",
    summary="a mixture of experts with tensor parallelism needs sequence-parallel",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7", "verl": ">=0.5"},
    when={"fact:moe": True, "fact:tp": above(1), "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/moe/moe_layer.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/moe/moe_layer.py",
            "forward raises ValueError in training where the tensor parallel size is above 1 and sequence_parallel is off.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/model_parallel_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/model_parallel_config.py",
            "Warns of the combination with expert parallelism beforehand.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("fact:moe") is not True or run.flag("megatron:skip_train") is True:
        return
    if run.text("fact:engine") != "megatron":
        return
    switch = size(run, "sequence_parallel")
    if run.flag(switch) is not False or run.flag(place(run, "sequence_parallel")) is True:
        return
    tensor = run.integer("fact:tp")
    if tensor is not None and tensor > 1:
        framework, _, key = switch.partition(":")
        yield run.finding(
            f"a mixture of experts with tensor parallel size {tensor} stops at its first step without sequence_parallel",
            ("fact:tp", f"{tensor} ranks"),
            (switch, "off"),
            ("fact:moe", "experts"),
            changes=(SetOption(framework, key, True, safe=True),),
        )
