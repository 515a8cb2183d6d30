"""GRPO of ms-swift that nothing rewards.

## What it checks
Neither reward_funcs nor reward_model is given, no environment rewards (use_gym_env, gym_env) and no teacher scores.

## Why it matters
The trainer raises ValueError after model and data are loaded.

## Example
    swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B-Instruct --dataset my/maths

## Instead
    swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B-Instruct --dataset my/maths --reward_funcs accuracy

## Fix safety
None is offered: what is to be rewarded only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_OTHERS = ("use_gym_env", "gym_env", "teacher_model", "teacher_model_server", "external_plugins")
"""What may bring rewards, or do without them."""


@rule(
    id="SW008",
    name="swift-rewards-missing",
    summary="GRPO of ms-swift without a reward",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.3"},
    when={"fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/rlhf_trainers/grpo_trainer.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/rlhf_trainers/grpo_trainer.py",
            "GRPOTrainer raises ValueError where it has neither reward functions nor reward models.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        return
    if run.known("ms-swift:reward_funcs") or run.known("ms-swift:reward_model"):
        return
    if any(run.known(f"ms-swift:{name}") for name in _OTHERS) or run.text("ms-swift:vllm_mode") == "server":
        return  # a server may tell that its environment rewards
    yield run.finding(
        "GRPO without a reward: neither reward_funcs nor reward_model is given",
        ("ms-swift:rlhf_type", "no reward"),
        help="name reward functions with reward_funcs, or a model with reward_model",
    )
