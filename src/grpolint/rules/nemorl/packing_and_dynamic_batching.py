"""Sequence packing and dynamic batching together.

## What it checks
`policy.sequence_packing.enabled` and `policy.dynamic_batching.enabled` are both true. Since 0.5 the configurations
that ship pack by default, so that switching dynamic batching on is not enough.

## Why it matters
Each of them cuts the batch in its own way; NeMo-RL asserts that only one is on.

## Example
    uv run examples/run_grpo.py policy.dynamic_batching.enabled=True policy.sequence_packing.enabled=True

## Instead
    uv run examples/run_grpo.py policy.dynamic_batching.enabled=True policy.sequence_packing.enabled=False

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together

_DYNAMIC = "nemo-rl:policy.dynamic_batching.enabled"
_PACKING = "nemo-rl:policy.sequence_packing.enabled"


@rule(
    id="NR002",
    name="packing-and-dynamic-batching",
    summary="sequence packing and dynamic batching together",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.3"},
    when={_DYNAMIC: True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/policy/lm_policy.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/policy/lm_policy.py",
            "Policy asserts that dynamic batching and sequence packing exclude each other.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are on."""
    written = run.is_set(_DYNAMIC) and not run.is_set(_PACKING)
    other = "policy.sequence_packing.enabled" if written else "policy.dynamic_batching.enabled"
    yield from together(
        run,
        "sequence packing and dynamic batching are both enabled: NeMo-RL takes one of them",
        on(_DYNAMIC, "batches of a number of tokens"),
        on(_PACKING, "several sequences in a row"),
        changes=(SetOption("nemo-rl", other, False, safe=True),),
    )
