"""Two sizes of an optimizer step that contradict each other.

## What it checks
`--global-batch-size` and `--num-steps-per-rollout`, where both are given: the first has to be what the second makes
of the samples of a rollout.

## Why it matters
slime stops with an assertion before anything is started.

## Example
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --num-steps-per-rollout 4 --global-batch-size 256

## Instead
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --num-steps-per-rollout 4

## Fix safety
Safe: the run does not start with both, and the number of steps decides as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import global_batch


@rule(
    id="SL002",
    name="steps-contradict-batch",
    summary="global-batch-size differs from what num-steps-per-rollout makes of the rollout",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.1"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "slime_validate_args asserts that both agree.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are given and differ."""
    ref = global_batch(run)
    if not run.is_set(ref) or not run.is_set("slime:num_steps_per_rollout"):
        return
    steps, batch = run.integer("slime:num_steps_per_rollout"), run.integer(ref)
    prompts, samples = run.integer("slime:rollout_batch_size"), run.integer("slime:n_samples_per_prompt")
    if None in (steps, batch, prompts, samples) or not steps:
        return
    made = prompts * samples // steps  # type: ignore[operator]
    if made == batch:
        return
    framework, _, key = ref.partition(":")
    yield run.finding(
        f"global-batch-size {batch}, but rollout-batch-size {prompts} * n-samples-per-prompt {samples}"
        f" // num-steps-per-rollout {steps} = {made}",
        ref,
        "slime:num_steps_per_rollout",
        "slime:rollout_batch_size",
        "slime:n_samples_per_prompt",
        changes=(RemoveOption(framework, key, safe=True),),
    )
