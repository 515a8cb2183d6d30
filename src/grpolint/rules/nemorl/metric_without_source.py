"""Checkpointing.metric_name without train: or val:.

## What it checks
`checkpointing.metric_name`, by which the best checkpoints are kept, must begin with `train:` or `val:` since 0.4.

## Why it matters
The assertion stands where the first checkpoint is saved: the run trains up to there and stops.

## Example
    uv run examples/run_grpo.py checkpointing.metric_name=val_reward

## Instead
    uv run examples/run_grpo.py checkpointing.metric_name=val:accuracy

## Fix safety
Unsafe: which metric is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="NR013",
    name="metric-without-source",
    summary="checkpointing.metric_name without train: or val:",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "grpo_train() asserts the prefix before it saves; dpo, sft, rm and distillation do the same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the source is missing."""
    name = run.text("nemo-rl:checkpointing.metric_name")
    if name is None or name.startswith(("train:", "val:")) or run.flag("nemo-rl:checkpointing.enabled") is False:
        return
    yield run.finding(
        f"checkpointing.metric_name {name} says neither train: nor val:, and NeMo-RL stops when it saves the first checkpoint",
        ("nemo-rl:checkpointing.metric_name", "by which checkpoints are kept"),
        help=f"write val:{name.removeprefix('val_')} or train:{name.removeprefix('train_')}, as the metric is logged",
    )
