"""Weights of rewards that do not fit their number.

## What it checks
`reward_weights` must have one weight for each reward function, in their order; a reward model of the recipe counts as
one more.

## Why it matters
GRPOTrainer refuses another number after the model has been loaded.

## Example
    reward_funcs: [accuracy, format, tag_count]
    reward_weights: [1.0, 0.5]

## Instead
    reward_funcs: [accuracy, format, tag_count]
    reward_weights: [1.0, 0.5, 0.5]

## Fix safety
None is offered: which weight is missing is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="TR020",
    name="reward-weights-differ",
    summary="as many reward_weights as reward functions",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.15", "ms-swift": ">=3.3"},
    when={"trl:reward_weights|ms-swift:reward_weights": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "GRPOTrainer raises ValueError unless there are as many weights as reward functions; first released in 0.15.0.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/rlhf_trainers/grpo_trainer.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/rlhf_trainers/grpo_trainer.py",
            "The same check, with the reward models counted behind the functions.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers if they differ."""
    swift = run.run.trainer == "ms-swift"
    owner = "ms-swift" if swift else "trl"
    weights, functions = run.known(f"{owner}:reward_weights"), run.known(f"{owner}:reward_funcs")
    if not isinstance(weights, list) or not functions:
        return
    listed = functions if isinstance(functions, list) else [functions]
    number = len(listed) + _models(run, swift=swift)
    if len(weights) != number:
        yield run.finding(
            f"{len(weights)} reward_weights for {number} reward functions: {'ms-swift' if swift else 'TRL'} wants one for each",
            (f"{owner}:reward_weights", "weights"),
            (f"{owner}:reward_funcs", "functions"),
            help="give one weight for each reward function, in their order",
        )


def _models(run: Inquiry, *, swift: bool) -> int:
    """Reward models, which count behind the functions."""
    if swift:
        models = run.known("ms-swift:reward_model") or []
        return len(models) if isinstance(models, list) else 1
    return 1 if run.run.launch is not None and run.text("trl:reward_model_name_or_path") else 0
