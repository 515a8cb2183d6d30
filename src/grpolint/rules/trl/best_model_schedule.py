"""The best checkpoint, with evaluations and checkpoints out of step.

## What it checks
With `load_best_model_at_end` the strategies of evaluation and saving must be the same (unless only the best is
saved), and `save_steps` a multiple of `eval_steps`.

## Why it matters
TrainingArguments refuses it at the start: a checkpoint without an evaluation cannot be compared.

## Example
    GRPOConfig(load_best_model_at_end=True, eval_strategy="steps", eval_steps=100, save_steps=250)

## Instead
    GRPOConfig(load_best_model_at_end=True, eval_strategy="steps", eval_steps=100, save_steps=200)

## Fix safety
None is offered: which schedule is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show

_BEST = "transformers:load_best_model_at_end"
_EVAL = "transformers:eval_strategy"
_SAVE = "transformers:save_strategy"
_FORMER = "transformers:evaluation_strategy"
"""Its name before transformers 4.46. A file that has it is meant for such a release, whichever is assumed."""


@rule(
    id="TR008",
    name="best-model-schedule",
    summary="load_best_model_at_end with schedules that do not match",
    severity=Severity.ERROR,
    frameworks={"transformers": ""},
    evidence=(
        Evidence(
            "transformers 5.24.0: src/transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "TrainingArguments raises ValueError for both.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_BEST) is not True or (run.text(_SAVE) or "steps").lower() == "best":
        return
    when = _FORMER if run.is_set(_FORMER) else _EVAL
    evaluate, save = (run.text(when) or "no").lower(), (run.text(_SAVE) or "steps").lower()
    if evaluate != save:
        yield run.finding(
            f"load_best_model_at_end wants the same strategy for both: evaluation {evaluate}, saving {save}",
            (_BEST, ""),
            (when, "evaluation"),
            (_SAVE, "saving"),
            help="set eval_strategy and save_strategy to the same",
        )
        return
    if evaluate != "steps":
        return
    every = run.number("transformers:eval_steps") or run.number("transformers:logging_steps")
    saved = run.number("transformers:save_steps")
    if every is not None and saved is not None and every >= 1 and saved >= 1 and saved % every:
        yield run.finding(
            f"save_steps {show(saved)} is not a multiple of eval_steps {show(every)}: load_best_model_at_end wants an "
            "evaluation for each checkpoint",
            ("transformers:save_steps", "saving"),
            ("transformers:eval_steps", "evaluation"),
            (_BEST, ""),
            help="make save_steps a multiple of eval_steps",
        )
