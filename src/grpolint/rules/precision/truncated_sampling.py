"""Samples of a truncated distribution.

## What it checks
`top_p` below 1, a `top_k`, a `min_p` or a `repetition_penalty` of the responses that are trained on, in verl, TRL, OpenRLHF, slime, AReaL,
EasyR1 and SkyRL. Those of the evaluation are not concerned.

## Why it matters
The trainer computes log-probabilities over the whole vocabulary. The samples come from another distribution: the gradient is off-policy
from the first step, and importance weights against the engine's log-probabilities are biased.

## Example
    actor_rollout_ref.rollout.top_p=0.8 actor_rollout_ref.rollout.top_k=20

## Instead
    actor_rollout_ref.rollout.top_p=1.0 actor_rollout_ref.rollout.top_k=-1

## Fix safety
Unsafe: it changes what is sampled, to what the trainer assumes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.rules.engines import change
from grpolint.rules.precision._sampling import sampling

_MILD = 0.95
"""A top_p from which on little is cut away."""

_OFF = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}


@rule(
    id="PR020",
    name="truncated-sampling",
    summary="training samples come from a truncated distribution",
    severity=Severity.WARNING,
    frameworks={"verl": "", "trl": "", "openrlhf": "", "slime": "", "areal": "", "easyr1": "", "skyrl": ""},
    evidence=(
        Evidence(
            "PrimeIntellect-ai/prime-rl#3235",
            "https://github.com/PrimeIntellect-ai/prime-rl/pull/3235",
            "Every importance ratio is biased and runs with truncated sampling collapse, unless the trainer repeats the truncation.",
        ),
        Evidence(
            "NVIDIA-NeMo/RL#2053",
            "https://github.com/NVIDIA-NeMo/RL/pull/2053",
            "Log-probabilities under top_p and top_k have to be computed with the same filter.",
        ),
        Evidence(
            "verl-project/verl#6240",
            "https://github.com/verl-project/verl/issues/6240",
            "The engine returns log-probabilities after top_k and top_p, the trainer computes them without.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names what truncates."""
    found = sampling(run)
    if not found:
        return
    mild = all(name == "top_p" and value >= _MILD for name, _, value in found)
    shown = " and ".join(f"{name} {show(value)}" for name, _, value in found)
    yield run.finding(
        f"{shown} {'bends' if len(found) == 1 else 'bend'} the distribution of training samples, and the trainer's log-probabilities know nothing of it",
        *((ref, "of training samples") for _, ref, _ in found),
        changes=tuple(change(ref, _OFF[name]) for name, ref, _ in found),
        severity=Severity.INFO if mild else None,
    )
