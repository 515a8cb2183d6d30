"""A sequence longer than the positions of the model.

## What it checks
`--seq-length` above `--max-position-embeddings`, with rotary embeddings too.

## Why it matters
Megatron stops with an assertion on every rank. Who lengthens the sequence has to lengthen both.

## Example
    --seq-length 32768 --max-position-embeddings 4096

## Instead
    --seq-length 32768 --max-position-embeddings 32768

## Fix safety
None is offered: with learned positions the number belongs to the checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least


@rule(
    id="MG026",
    name="sequence-above-positions",
    summary="seq-length is above max-position-embeddings",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={"megatron:max_position_embeddings": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that max_position_embeddings is not below seq_length.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    sequence = Size.of(run, Term("megatron:seq_length", "seq-length", "tokens of a sequence"))
    if sequence is None:
        return
    positions = Size.of(run, Term("megatron:max_position_embeddings", "max-position-embeddings", "positions"))
    yield from at_least(
        run,
        positions,
        sequence,
        "Megatron refuses a sequence that is longer",
        help="raise --max-position-embeddings; with rotary embeddings it changes nothing else",
    )
