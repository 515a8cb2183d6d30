"""An estimate of the KL divergence that verl does not have.

## What it checks
`actor.kl_loss_type` where the loss has a KL term, `algorithm.kl_penalty` where the reward has one: neither kl (k1),
abs, mse (k2) nor low_var_kl (k3). `full` is in the comments and not implemented; a `+` for unbiased gradients works
since 0.8.

## Why it matters
kl_penalty raises NotImplementedError in the first step, after a whole rollout.

## Example
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_type=low-var-kl

## Instead
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_type=low_var_kl

## Fix safety
Unsafe: estimates differ in their variance and gradient.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_ESTIMATES = ("kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3")
_WHERE = (("kl_in_loss", "actor_rollout_ref.actor.kl_loss_type"), ("kl_in_reward", "algorithm.kl_penalty"))
_MEANT = {
    "full": "low_var_kl: the full divergence is not implemented",
    "forward": "verl estimates the divergence of the policy from the reference: kl, abs, mse or low_var_kl",
    "reverse": "kl is the plain estimate, low_var_kl the one of low variance",
}


@rule(
    id="VE064",
    name="kl-estimate-unknown",
    summary="kl_loss_type or kl_penalty is no estimate that verl has",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "kl_penalty_forward knows four estimates under seven names and raises NotImplementedError for the rest, full included.",
        ),
        Evidence(
            "verl-project/verl#6058",
            "https://github.com/verl-project/verl/pull/6058",
            "A name that ends in + was passed on with it and matched none, until 0.8.",
            "confirmed",
        ),
    ),
    when={"|".join(f"verl:{key}" for _, key in _WHERE): SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each estimate in use that does not exist."""
    version = run.run.settings["verl"].version.text
    allowed = (*_ESTIMATES, *(f"{each}+" for each in _ESTIMATES)) if satisfies(version, ">=0.8") else _ESTIMATES
    for switch, key in _WHERE:
        if run.is_set(f"verl:{key}") and run.known(f"fact:{switch}") is True:
            if run.text(f"verl:{key}") in allowed:
                continue
            yield from choice(run, key, _ESTIMATES, "verl raises NotImplementedError", closed=True, meant=_MEANT)
