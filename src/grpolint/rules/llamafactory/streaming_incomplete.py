"""Streamed data whose length nobody knows.

## What it checks
streaming without max_steps, with max_samples, or with a val_size between 0 and 1.

## Why it matters
The length of a stream is unknown, so that shares of it and epochs mean nothing; the run ends with a ValueError.

## Example
    llamafactory-cli train --streaming --num_train_epochs 3

## Instead
    llamafactory-cli train --streaming --max_steps 3000

## Fix safety
None is offered: how long to train only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="LF007",
    name="streaming-incomplete",
    summary="streamed data without what streaming needs",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"llamafactory:streaming": True},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for streaming without max_steps.",
        ),
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/data_args.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/data_args.py",
            "DataArguments raises ValueError for streaming with max_samples or with a fraction as val_size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    if run.flag("llamafactory:streaming") is not True:
        return
    stream = ("llamafactory:streaming", "length unknown")
    if (run.integer("transformers:max_steps") or -1) == -1:
        yield run.finding("streaming without max_steps is refused", stream, help="set max_steps")
    if run.known("llamafactory:max_samples") is not None:
        yield run.finding(
            "streaming is refused with max_samples", "llamafactory:max_samples", stream, help="take it out"
        )
    size = run.number("llamafactory:val_size") or 0
    if 1e-6 < size < 1:
        help_ = "give a number of samples"
        yield run.finding(f"val_size {size} of a stream is refused", "llamafactory:val_size", stream, help=help_)
