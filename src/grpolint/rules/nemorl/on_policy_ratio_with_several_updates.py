"""Force_on_policy_ratio with several updates a step.

## What it checks
`loss_fn.force_on_policy_ratio: true` where `num_prompts_per_step * num_generations_per_prompt` is not
`policy.train_global_batch_size`.

## Why it matters
The ratio is 1 only where a step's samples are trained on in one update; NeMo-RL asserts it.

## Example
    uv run examples/run_grpo.py loss_fn.force_on_policy_ratio=true grpo.num_prompts_per_step=64 grpo.num_generations_per_prompt=16 policy.train_global_batch_size=512

## Instead
    uv run examples/run_grpo.py loss_fn.force_on_policy_ratio=true grpo.num_prompts_per_step=64 grpo.num_generations_per_prompt=16 policy.train_global_batch_size=1024

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term


@rule(
    id="NR010",
    name="on-policy-ratio-with-several-updates",
    summary="force_on_policy_ratio with several updates a step",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.5"},
    when={"nemo-rl:loss_fn.force_on_policy_ratio": True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts that the samples of a step equal train_global_batch_size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers if they differ."""
    if not run.flag("nemo-rl:loss_fn.force_on_policy_ratio"):
        return
    samples = Size.of(
        run,
        Term("nemo-rl:grpo.num_prompts_per_step", "num_prompts_per_step", "prompts"),
        Term("nemo-rl:grpo.num_generations_per_prompt", "num_generations_per_prompt", "responses each"),
    )
    batch = run.integer("nemo-rl:policy.train_global_batch_size")
    if samples is None or batch is None or samples.value == batch:
        return
    yield run.finding(
        f"force_on_policy_ratio needs one update a step: {samples.equation}, train_global_batch_size is {batch}",
        ("nemo-rl:policy.train_global_batch_size", "samples of an update"),
        *samples.places,
        ("nemo-rl:loss_fn.force_on_policy_ratio", "the ratio is taken for 1"),
        changes=(SetOption("nemo-rl", "policy.train_global_batch_size", samples.value),),
    )
