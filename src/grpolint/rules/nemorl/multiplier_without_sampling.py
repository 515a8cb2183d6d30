"""Batch_multiplier without dynamic sampling.

## What it checks
`grpo.batch_multiplier` other than 1 with `grpo.use_dynamic_sampling: false`.

## Why it matters
More prompts than a step needs are only generated where some are filtered out; NeMo-RL asserts it.

## Example
    uv run examples/run_grpo.py grpo.batch_multiplier=3

## Instead
    uv run examples/run_grpo.py grpo.batch_multiplier=3 grpo.use_dynamic_sampling=true

## Fix safety
Unsafe: whether dynamic sampling is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="NR009",
    name="multiplier-without-dynamic-sampling",
    summary="batch_multiplier without dynamic sampling",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"nemo-rl:grpo.batch_multiplier": SET},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts batch_multiplier == 1 unless use_dynamic_sampling.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing is filtered."""
    factor = run.number("nemo-rl:grpo.batch_multiplier")
    if factor is None or factor == 1 or run.flag("nemo-rl:grpo.use_dynamic_sampling") is not False:
        return
    yield run.finding(
        f"batch_multiplier {factor} needs dynamic sampling, which is off",
        ("nemo-rl:grpo.batch_multiplier", f"{factor} times the prompts"),
        ("nemo-rl:grpo.use_dynamic_sampling", "nothing is filtered"),
        help="switch grpo.use_dynamic_sampling on, or leave batch_multiplier at 1",
    )
