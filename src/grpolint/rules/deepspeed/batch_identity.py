"""Batch sizes that contradict each other.

## What it checks
`train_batch_size` must equal `train_micro_batch_size_per_gpu * gradient_accumulation_steps * data-parallel ranks`.
Where the number of ranks is not known it must at least be a multiple of the other two.

## Why it matters
DeepSpeed stops with an assertion when the engine is made.

## Example
    {"train_batch_size": 100, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8}

## Instead
    {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8}

## Fix safety
Unsafe: leaving `train_batch_size` out takes the other two.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.deepspeed._automatic import automatic
from grpolint.rules.relations import Size, Term
from grpolint.values import Unknown

_WHOLE = "train_batch_size"
_PARTS = ("train_micro_batch_size_per_gpu", "gradient_accumulation_steps")


@rule(
    id="DS006",
    name="batch-sizes-disagree",
    summary="train_batch_size is not micro batch * accumulation * ranks",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "_batch_assertion asserts the equality after missing values were derived.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    setting = run.run.setting("deepspeed", _WHOLE)
    if run.run.trainer == "openrlhf" or setting is None or automatic(setting):
        return
    whole = Size.of(run, Term(f"deepspeed:{_WHOLE}", _WHOLE))
    given = [Term(f"deepspeed:{key}", key) for key in _PARTS if run.is_set(f"deepspeed:{key}")]
    ranks = run.ask("fact:dp")
    if whole is None or (len(given) < len(_PARTS) and isinstance(ranks, Unknown)):
        return
    if not isinstance(ranks, Unknown) and ranks is not None:
        given.append(Term("fact:dp", "data-parallel ranks"))
    part = Size.of(run, *given) if given else None
    if part is None or part.value < 1:
        return
    exact = len(given) == len(_PARTS) + 1
    if whole.value % part.value or (exact and whole.value != part.value):
        relation = "is not" if exact else "is not a multiple of"
        yield run.finding(
            f"{whole.equation} {relation} {part.equation}: DeepSpeed wants its batch sizes to agree",
            *whole.places,
            *part.places[: len(_PARTS)],
            help="leave one of the three out: DeepSpeed derives it",
            changes=(RemoveOption("deepspeed", _WHOLE),) if len(given) >= len(_PARTS) else (),
        )
