"""No size of an optimizer step.

## What it checks
Whether `--global-batch-size` or `--num-steps-per-rollout` is given.

## Why it matters
Up to 0.2.1 slime fails with a TypeError. Later, Megatron fills the gap with one micro batch for each data-parallel
rank: a rollout of 256 samples on 8 ranks becomes 32 optimizer steps, all but the first off-policy.

## Example
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8

## Instead
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --num-steps-per-rollout 1

## Fix safety
Unsafe: the number of optimizer steps changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import global_batch, unless_lost
from grpolint.versions import satisfies


@rule(
    id="SL003",
    name="step-size-missing",
    summary="neither global-batch-size nor num-steps-per-rollout is given",
    severity=Severity.WARNING,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.2.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.2.1/slime/utils/arguments.py",
            "The samples of a rollout are divided by global_batch_size, whose default is None.",
        ),
        Evidence(
            "Megatron-LM core_v0.14.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.14.0/megatron/training/arguments.py",
            "validate_args sets an absent global batch to the micro batch times the data-parallel ranks.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither is given."""
    unless_lost(run)
    ref = global_batch(run)
    if run.known(ref) is not None or run.known("slime:num_steps_per_rollout") is not None:
        return
    if run.flag("slime:debug_rollout_only") is True:
        return
    if ref.startswith("slime:") or satisfies(run.run.settings["slime"].version.text, "<0.2.2"):
        effect, severity = "slime fails with a TypeError", Severity.ERROR
    else:
        dp = run.integer("fact:dp")
        part = f", {dp} samples here" if dp is not None and run.integer("megatron:micro_batch_size") == 1 else ""
        effect, severity = f"Megatron steps after one micro batch on each data-parallel rank{part}", Severity.WARNING
    yield run.finding(
        f"neither global-batch-size nor num-steps-per-rollout is given: {effect}",
        changes=(SetOption("slime", "num_steps_per_rollout", 1),),
        severity=severity,
    )
