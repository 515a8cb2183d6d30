"""Evaluation without anything to evaluate.

## What it checks
`--eval-interval` without `--eval-prompt-data` or `--eval-config`, and `--eval-prompt-data` that is not pairs of a
name and a path.

## Why it matters
slime stops before anything is started.

## Example
    python3 train.py --eval-interval 20

## Instead
    python3 train.py --eval-interval 20 --eval-prompt-data aime /data/aime-2024.jsonl

## Fix safety
None is offered: the data are not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import megatron, unless_lost


@rule(
    id="SL009",
    name="evaluation-without-data",
    summary="eval-interval without data sets in pairs of name and path",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "Data sets are asserted where eval_interval is set, and an odd number of words raises ValueError; one word is taken for aime.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there are no data, or a name or path is missing."""
    if run.known("slime:eval_config") is not None:
        return
    data = run.known("slime:eval_prompt_data")
    words = data if isinstance(data, list) else [data]
    if data is not None:
        if len(words) > 1 and len(words) % 2:
            yield run.finding(
                f"eval-prompt-data has {len(words)} words, which are no pairs of a name and a path",
                ("slime:eval_prompt_data", "a name or a path is missing"),
                help="write a name before each path",
            )
        return
    unless_lost(run)
    interval = megatron(run, "eval_interval")
    if run.known(interval) is not None:
        yield run.finding(
            f"eval-interval {run.known(interval)}, but no data set to evaluate on",
            (interval, "evaluates"),
            help="give --eval-prompt-data NAME PATH or --eval-config, or leave --eval-interval out",
        )
