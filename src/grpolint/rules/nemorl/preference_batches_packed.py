"""DPO with sequence packing or dynamic batching.

## What it checks
A configuration with the section `dpo` and `policy.sequence_packing.enabled` or `policy.dynamic_batching.enabled`.

## Why it matters
Neither is supported with DPO; NeMo-RL asserts it at the start.

## Example
    uv run examples/run_dpo.py policy.sequence_packing.enabled=true

## Instead
    uv run examples/run_dpo.py policy.sequence_packing.enabled=false

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="NR016",
    name="preference-batches-packed",
    summary="DPO with sequence packing or dynamic batching",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.3"},
    when={"fact:trainer_kind": "dpo"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/dpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/dpo.py",
            "setup() asserts that both are off.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of them that is on."""
    if run.text("fact:trainer_kind") != "dpo":
        return
    for name, words in (("sequence_packing", "sequence packing"), ("dynamic_batching", "dynamic batching")):
        if run.flag(f"nemo-rl:policy.{name}.enabled"):
            yield run.finding(
                f"NeMo-RL's DPO refuses {words}",
                (f"nemo-rl:policy.{name}.enabled", "switched on"),
                changes=(SetOption("nemo-rl", f"policy.{name}.enabled", False, safe=True),),
            )
