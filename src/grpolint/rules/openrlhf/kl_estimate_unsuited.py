"""A KL estimate in the wrong place.

## What it checks
`--algo.kl.use_loss` with the estimate k1 (unless its gradient is made unbiased), and a penalty in the reward with
k2 or k3.

## Why it matters
As a loss k1 has a gradient of zero in expectation: it does not pull. In the reward k2 and k3 are no estimates of
the penalty whose gradient PPO takes. OpenRLHF prints a recommendation and goes on.

## Example
    --algo.kl.use_loss --algo.kl.estimator k1

## Instead
    --algo.kl.use_loss --algo.kl.estimator k3

## Fix safety
Unsafe: it changes the objective.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_LOSS = "openrlhf:algo.kl.use_loss"
_ESTIMATE = "openrlhf:algo.kl.estimator"


@rule(
    id="OR024",
    name="kl-estimate-unsuited",
    summary="a KL estimate that OpenRLHF advises against where it is used",
    severity=Severity.WARNING,
    frameworks={"openrlhf": ">=0.8"},
    when={"openrlhf:algo.kl.init_coef": above(0), "openrlhf:algo.kl.estimator": ("k1", "k2", "k3")},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Recommends k2 or k3 for the loss and k1 for the reward.",
        ),
        Evidence(
            "John Schulman: Approximating KL Divergence",
            "https://joschu.net/blog/kl-approx.html",
            "What the three estimates are.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    weight, kind = run.number("openrlhf:algo.kl.init_coef"), run.text(_ESTIMATE)
    if not weight or weight <= 0 or kind is None:
        return
    if run.flag(_LOSS) is True and kind == "k1" and run.flag("openrlhf:algo.kl.unbiased_gradient") is not True:
        yield run.finding(
            "the KL loss of estimate k1 has no gradient in expectation: it does not hold the policy",
            (_LOSS, "KL as a loss"),
            (_ESTIMATE, "k1"),
            changes=(SetOption("openrlhf", "algo.kl.estimator", "k3"),),
        )
    elif run.flag(_LOSS) is False and kind in ("k2", "k3"):
        yield run.finding(
            f"a KL penalty in the reward wants estimate k1, and it is {kind}",
            (_ESTIMATE, kind),
            (_LOSS, "KL in the reward"),
            changes=(SetOption("openrlhf", "algo.kl.estimator", "k1"),),
            severity=Severity.INFO,
        )
