"""Training counted in iterations and in samples.

## What it checks
`--train-iters` together with `--train-samples`, `--lr-decay-samples` or `--lr-warmup-samples`; `--train-samples`
together with `--lr-decay-iters` or `--lr-warmup-iters`; and a warm-up given as fraction and as number.

## Why it matters
Megatron stops with an assertion on every rank: one run is counted in one unit.

## Example
    --train-iters 500 --lr-decay-samples 64000

## Instead
    --train-iters 500 --lr-decay-iters 500

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


def _flag(ref: str) -> str:
    """An option as it is typed."""
    return "--" + ref.partition(":")[2].replace("_", "-")


@rule(
    id="MG027",
    name="iterations-and-samples",
    summary="a length or schedule of training in iterations and in samples at once",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={
        "megatron:lr_decay_samples|megatron:lr_warmup_samples|megatron:train_samples|megatron:lr_warmup_fraction": SET
    },
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that the options of the other unit are not given, and that the warm-up is given once.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer != "megatron" or run.flag("megatron:skip_train") is True:
        return
    for unit, other in (("iters", "samples"), ("samples", "iters")):
        length = f"megatron:train_{unit}"
        if not run.integer(length):
            continue
        wrong = [f"megatron:{name}_{other}" for name in ("train", "lr_decay", "lr_warmup")]
        if unit == "samples":
            wrong.pop(0)  # said already
        for ref in wrong:
            if run.number(ref):
                yield run.finding(
                    f"{_flag(length)} counts in {unit}, and {_flag(ref)} in {other}: Megatron takes one unit only",
                    (ref, f"in {other}"),
                    (length, f"in {unit}"),
                    help=f"give {_flag(ref).removesuffix(other)}{unit} instead"
                    if "train" not in ref
                    else "keep one of them",
                )
        warmup = f"megatron:lr_warmup_{unit}"
        if run.known("megatron:lr_warmup_fraction") is not None and run.number(warmup):
            yield run.finding(
                f"--lr-warmup-fraction and {_flag(warmup)} both give the warm-up: Megatron takes one of them only",
                ("megatron:lr_warmup_fraction", "a share"),
                (warmup, "a number"),
                help="keep one of them",
            )
