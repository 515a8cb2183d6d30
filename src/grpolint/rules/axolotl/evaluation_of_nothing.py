"""Evaluations without data, or with data twice.

## What it checks
eval_steps, or an eval_strategy other than no, with val_set_size 0 and without test_datasets; val_set_size above 0
together with test_datasets.

## Why it matters
The configuration is refused.

## Example
    val_set_size: 0
    eval_steps: 100

## Instead
    val_set_size: 0.05
    eval_steps: 100

## Fix safety
None is offered: a share of the data is no longer trained on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="AX005",
    name="axolotl-evaluation-of-nothing",
    summary="a schedule of evaluations with val_set_size 0 in axolotl",
    severity=Severity.ERROR,
    frameworks={"axolotl": ""},
    when={"axolotl:val_set_size": SET},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_evals raises ValueError for eval_steps or eval_strategy with val_set_size 0 and no test_datasets; check_val_w_test_datasets for both sources.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.number("axolotl:val_set_size")
    data = run.known("axolotl:test_datasets")
    if size is None or not run.is_set("axolotl:val_set_size"):
        return
    if size and data:
        places = ("axolotl:val_set_size", "axolotl:test_datasets")
        yield run.finding(f"val_set_size {size} is refused with test_datasets", *places, help="keep one of the two")
    strategy = run.text("axolotl:eval_strategy")
    key = "eval_steps" if run.known("axolotl:eval_steps") else "eval_strategy" if strategy else None
    if not size and not data and key is not None and strategy != "no":
        yield run.finding(
            f"{key} is refused with val_set_size 0: nothing is left to evaluate on",
            f"axolotl:{key}",
            "axolotl:val_set_size",
            help=f"take {key} out, or set val_set_size above 0",
        )
