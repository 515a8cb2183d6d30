"""More prompts at once than a rollout has.

## What it checks
`--rollout.vllm_generate_batch_size` above `--rollout.batch_size` without asynchronous training.

## Why it matters
The program stops with an assertion at the start: the surplus would have nowhere to go.

## Example
    --rollout.batch_size 128 --rollout.vllm_generate_batch_size 256

## Instead
    --rollout.batch_size 128 --rollout.vllm_generate_batch_size 128

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least


@rule(
    id="OR005",
    name="generation-batch-above-rollout",
    summary="a generation batch above the rollout batch needs asynchronous training",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.10"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that training is asynchronous where vllm_generate_batch_size is larger.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("openrlhf:train.async_enable") is not False:
        return
    generated = Size.of(
        run, Term("openrlhf:rollout.vllm_generate_batch_size", "vllm_generate_batch_size", "prompts at once")
    )
    if generated is None:
        return
    rollout = Size.of(run, Term("openrlhf:rollout.batch_size", "rollout.batch_size", "prompts of a rollout"))
    yield from at_least(run, rollout, generated, "only asynchronous training can keep the surplus")
