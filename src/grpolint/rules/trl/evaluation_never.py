"""An interval of evaluations that never take place.

## What it checks
`eval_steps` (or `do_eval`) is set while `eval_strategy` is not, whose default is `no`.

## Why it matters
Nothing is evaluated during training, and nothing says so.

## Example
    GRPOConfig(eval_steps=100)

## Instead
    GRPOConfig(eval_strategy="steps", eval_steps=100)

## Fix safety
Safe: evaluations do not change the training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show

_STRATEGIES = ("transformers:eval_strategy", "transformers:evaluation_strategy")


@rule(
    id="TR048",
    name="evaluation-never",
    summary="eval_steps or do_eval without eval_strategy",
    severity=Severity.WARNING,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:eval_steps": SET, "transformers:eval_strategy": "no"},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "eval_strategy is no by default, and the Trainer reads eval_steps for the strategy steps only.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if any(run.is_set(key) for key in _STRATEGIES) or (run.text(_STRATEGIES[0]) or "no") != "no":
        return
    if run.is_set("transformers:do_eval") and run.flag("transformers:do_eval") is False:
        return  # it is not meant to evaluate
    every = run.number("transformers:eval_steps") if run.is_set("transformers:eval_steps") else None
    if every is not None and every > 0:
        yield run.finding(
            f"eval_steps {show(every)} has no effect: eval_strategy is not set, and nothing is evaluated during training",
            ("transformers:eval_steps", "ignored"),
            _STRATEGIES[0],
            changes=(SetOption("transformers", "eval_strategy", "steps", safe=True),),
        )
