"""A KL penalty whose reference log-probabilities are skipped.

## What it checks
`grpo.skip_reference_policy_logprobs_calculation: true` with `loss_fn.reference_policy_kl_penalty` above 0.

## Why it matters
NeMo-RL asserts that the penalty is 0 where the reference is not computed.

## Example
    uv run examples/run_grpo.py ++grpo.skip_reference_policy_logprobs_calculation=true loss_fn.reference_policy_kl_penalty=0.01

## Instead
    uv run examples/run_grpo.py ++grpo.skip_reference_policy_logprobs_calculation=true loss_fn.reference_policy_kl_penalty=0

## Fix safety
Unsafe: whether the penalty or its cost is meant to go is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, on, together


@rule(
    id="NR011",
    name="reference-skipped-with-kl",
    summary="a KL penalty whose reference log-probabilities are skipped",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.6"},
    when={"nemo-rl:grpo.skip_reference_policy_logprobs_calculation": True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts a penalty of 0.",
        ),
        Evidence(
            "nemo-rl 0.6.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.6.0/nemo_rl/algorithms/grpo.py",
            "grpo_train() asserts a penalty of 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the penalty is above zero."""
    penalty = Condition("nemo-rl:loss_fn.reference_policy_kl_penalty", _above_zero, "weight of the penalty")
    yield from together(
        run,
        "the KL penalty needs the reference's log-probabilities, which are skipped: NeMo-RL refuses to start",
        on("nemo-rl:grpo.skip_reference_policy_logprobs_calculation", "not computed"),
        penalty,
        help="set loss_fn.reference_policy_kl_penalty to 0, or compute them",
    )


def _above_zero(run: Inquiry, ref: str) -> bool:
    return (run.number(ref) or 0) > 0
