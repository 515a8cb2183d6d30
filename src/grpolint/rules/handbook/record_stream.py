"""record_stream for tensors that cross streams.

## What it checks
The flat configuration says that `record_stream` is called. In launch files there is nothing to see: the calls stand
in the trainer's source.

## Why it matters
The handbook: memory that another stream still reads may be given away.

## Example
    {"zero_stage": 2, "record_stream": false}

## Instead
    {"zero_stage": 2, "record_stream": true}

## Fix safety
No fix: no option of any framework does it.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import flat
from grpolint.rules.handbook._stated import stated


@stated("D10", "record-stream", "tensors that cross CUDA streams are recorded")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where the configuration denies it."""
    if not flat(run):
        raise NotApplicable("calls of record_stream stand in a framework's source; no option decides them")
    if run.require("handbook:record_stream") is not True:
        yield run.finding(
            "record_stream is off: memory may be reused while another stream reads it",
            ("handbook:record_stream", "off"),
            help="call record_stream where a tensor crosses streams",
        )
