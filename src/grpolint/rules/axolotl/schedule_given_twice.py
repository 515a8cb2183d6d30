"""One schedule in two ways.

## What it checks
saves_per_epoch with save_steps, evals_per_epoch with eval_steps, warmup_steps with warmup_ratio, batch_size with
gradient_accumulation_steps; save_steps or eval_steps with a strategy other than steps.

## Why it matters
axolotl refuses each of the pairs instead of guessing which one is meant.

## Example
    saves_per_epoch: 2
    save_steps: 500

## Instead
    save_steps: 500

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_PAIRS = (
    ("saves_per_epoch", "save_steps"),
    ("evals_per_epoch", "eval_steps"),
    ("warmup_steps", "warmup_ratio"),
    ("batch_size", "gradient_accumulation_steps"),
)
"""Options of which axolotl takes one."""


@rule(
    id="AX004",
    name="schedule-given-twice",
    summary="saves, evaluations, warm-up or batch given in two ways in axolotl",
    severity=Severity.ERROR,
    frameworks={"axolotl": ""},
    when={
        "axolotl:saves_per_epoch|axolotl:evals_per_epoch|axolotl:warmup_steps|axolotl:batch_size|axolotl:save_strategy|axolotl:eval_strategy": SET
    },
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_saves, check_evals, check_warmup and check_gas_bsz raise ValueError for each of the pairs.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair."""
    for one, other in _PAIRS:
        refs = (f"axolotl:{one}", f"axolotl:{other}")
        if all(run.is_set(ref) and run.known(ref) for ref in refs):
            yield run.finding(f"{one} and {other} are refused together", *refs, help="keep one of the two")
    for what in ("save", "eval"):
        strategy = run.text(f"axolotl:{what}_strategy")
        if strategy not in (None, "steps") and run.known(f"axolotl:{what}_steps"):
            yield run.finding(
                f"{what}_steps is refused with {what}_strategy {strategy}",
                f"axolotl:{what}_strategy",
                f"axolotl:{what}_steps",
                help=f"set {what}_strategy: steps, or take {what}_steps out",
            )
