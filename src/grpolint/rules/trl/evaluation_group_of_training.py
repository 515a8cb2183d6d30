"""The evaluation batch of TRL 0.26.0 is judged by the group of training.

## What it checks
GRPO or RLOO of TRL 0.26.0 with evaluation, `num_generations_eval` and an evaluation batch that is a multiple of it, but not
of `num_generations`.

## Why it matters
That release divides the evaluation batch by `num_generations` even where `num_generations_eval` is given, and refuses a
batch that is right.

## Example
    GRPOConfig(num_generations=8, num_generations_eval=2, per_device_eval_batch_size=2, eval_strategy="steps")

## Instead
    pip install trl==0.26.1

## Fix safety
None is offered: the later release is the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_BATCH = "transformers:per_device_eval_batch_size"


@rule(
    id="TR151",
    name="evaluation-group-of-training",
    summary="TRL 0.26.0 divides the evaluation batch by num_generations instead of num_generations_eval",
    severity=Severity.ERROR,
    frameworks={"trl": "==0.26.0"},
    when={"trl:num_generations_eval": SET},
    evidence=(
        Evidence(
            "trl 0.26.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v0.26.0/trl/trainer/grpo_config.py",
            "The check of the evaluation batch takes num_generations; 0.26.1 takes num_generations_eval where it is given.",
        ),
        Evidence(
            "huggingface/trl#4682",
            "https://github.com/huggingface/trl/pull/4682",
            "The evaluation batch is always validated against num_generations, even if num_generations_eval is set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation."""
    if run.text("fact:trainer_kind") not in ("grpo", "rloo") or run.integer("trl:num_generations_eval") is None:
        return
    if run.text("transformers:eval_strategy") in (None, "no"):
        return
    batch = Size.of(run, Term(_BATCH, "per_device_eval_batch_size"), Term("fact:world_size", "processes"))
    group = Size.of(run, Term("trl:num_generations", "num_generations", "taken for the evaluation too"))
    yield from multiple(
        run,
        batch,
        group,
        "TRL 0.26.0 refuses it whatever num_generations_eval says",
        help="install trl 0.26.1 or later",
    )
