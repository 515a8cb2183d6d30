"""TRL's evaluation batch does not hold whole groups.

## What it checks
With an evaluation strategy, `per_device_eval_batch_size * processes` must be a multiple of `num_generations_eval`, or
of `num_generations` where that is not set. The releases 0.20 and 0.21 do not ask for it.

## Why it matters
TRL refuses the configuration on every rank. The default evaluation batch of 8 often does not fit a group size that
the training batch fits.

## Example
    GRPOConfig(num_generations=6, per_device_train_batch_size=6, eval_strategy="steps")      on 1 GPU

## Instead
    GRPOConfig(num_generations=6, per_device_train_batch_size=6, eval_strategy="steps", per_device_eval_batch_size=6)      on 1 GPU

## Fix safety
Safe: the evaluation batch changes no training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import Size, Term, multiple

_EVAL = "per_device_eval_batch_size"


@rule(
    id="TR003",
    name="evaluation-batch-not-divisible",
    summary="the evaluation batch is not a multiple of the group size",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.15,!=0.20.*,!=0.21.*"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ raises ValueError if the global evaluation batch leaves a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    if (run.text("transformers:eval_strategy") or "no").lower() == "no":
        return
    own = run.integer("trl:num_generations_eval")
    key = "num_generations_eval" if own else "num_generations"
    groups = Size.of(run, Term(f"trl:{key}", key, "size of a group"))
    batch = Size.of(run, Term(f"transformers:{_EVAL}", _EVAL, "evaluation batch"), Term("fact:world_size", "processes"))
    change = (SetOption("transformers", _EVAL, groups.value, safe=True),) if groups is not None else ()
    yield from multiple(run, batch, groups, "TRL evaluates whole groups only", changes=change)
