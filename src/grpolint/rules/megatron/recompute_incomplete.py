"""Recompute options that do not go together.

## What it checks
On Megatron's command line and in slime: `recompute_granularity` full without `recompute_method` or
`recompute_num_layers`, and selective together with one of them.

## Why it matters
Megatron refuses the configuration of the model on every rank, after Ray or torchrun has started all of them.

## Example
    --recompute-granularity full

## Instead
    --recompute-granularity full --recompute-method uniform --recompute-num-layers 1

## Fix safety
Safe for the missing options: recomputation changes memory and speed, no result. What is too much is for the author
to take out.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="MG020",
    name="recompute-options-contradict",
    summary="a recompute granularity with options that it cannot have, or without those it needs",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={"megatron:recompute_granularity": ("full", "selective")},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for full without a method or a number of layers, and for selective with one.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that selective recomputation has no method.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    granularity = "megatron:recompute_granularity"
    method, layers = "megatron:recompute_method", "megatron:recompute_num_layers"
    kind = run.text(granularity)
    if kind == "full":
        missing = [(ref, value) for ref, value in ((method, "uniform"), (layers, 1)) if run.known(ref) is None]
        if missing:
            names = " and ".join(ref.partition(":")[2] for ref, _ in missing)
            yield run.finding(
                f"full recomputation needs {names}: Megatron refuses the configuration",
                (granularity, "recomputes whole layers"),
                *((ref, "missing") for ref, _ in missing),
                changes=tuple(SetOption("megatron", ref.partition(":")[2], value, safe=True) for ref, value in missing),
            )
    elif kind == "selective":
        for ref in (layers, method):
            if run.known(ref) is not None:
                yield run.finding(
                    f"selective recomputation takes no {ref.partition(':')[2]}: Megatron refuses the configuration",
                    (ref, "belongs to full recomputation"),
                    (granularity, "selective"),
                    help="take it out, or recompute whole layers with --recompute-granularity full",
                )
