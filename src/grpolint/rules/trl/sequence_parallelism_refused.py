"""Sequences cut over devices in a trainer that generates.

## What it checks
accelerate's `parallelism_config` with a context or sequence parallel size above 1, with GRPO or RLOO.

## Why it matters
The trainers build the inputs after generation, where the sharding of sequences does not reach; the configs refuse it
since 1.4.

## Example
    parallelism_config: {parallelism_config_cp_size: 2}      and trl grpo

## Instead
    parallelism_config: {parallelism_config_dp_shard_size: 8}

## Fix safety
None is offered: what to do with the devices is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, above, rule


@rule(
    id="TR025",
    name="sequence-parallelism-refused",
    summary="context or sequence parallelism with GRPO or RLOO",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.4"},
    when={"accelerate:parallelism_config_cp_size|accelerate:parallelism_config_sp_size": above(1)},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig and RLOOConfig raise ValueError; first released in 1.4.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each kind."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    for kind, word in (("cp", "context"), ("sp", "sequence")):
        key = f"accelerate:parallelism_config_{kind}_size"
        size = run.integer(key) if run.run.setting("accelerate", key.partition(":")[2]) is not None else None
        if size is not None and size > 1:
            yield run.finding(
                f"{word} parallel size {size} is refused by TRL's GRPO and RLOO",
                (key, f"size {size}"),
                help="leave it at 1",
            )
