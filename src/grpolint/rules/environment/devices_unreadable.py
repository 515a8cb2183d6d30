"""A list of visible devices that CUDA reads otherwise than it looks.

## What it checks
`CUDA_VISIBLE_DEVICES` with ranges (`0-3`), brackets, semicolons or words, and lists that name a device twice.

## Why it matters
CUDA knows no ranges: of `0-3` it reads 0. A device that is named twice leaves none visible at all, and a list ends at the first
entry that is no device.

## Example
    export CUDA_VISIBLE_DEVICES=0-3

## Instead
    export CUDA_VISIBLE_DEVICES=0,1,2,3

## Fix safety
None is offered: which devices are meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.regex import regex
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NAME = "CUDA_VISIBLE_DEVICES"
_DEVICE = regex(r"-?\d+|(?:GPU|MIG)-[0-9A-Za-z/-]+")
_RANGE = regex(r"(\d{1,9})-(\d{1,9})")


@rule(
    id="EN018",
    name="devices-unreadable",
    summary="a list of visible devices that CUDA reads otherwise than it looks",
    severity=Severity.ERROR,
    when={f"env:{_NAME}": SET},
    evidence=(
        Evidence(
            "pytorch: torch/cuda/__init__.py",
            "https://github.com/pytorch/pytorch/blob/main/torch/cuda/__init__.py",
            "Repeats what CUDA does: leading digits count, a list ends at an entry without, a repeated device leaves none.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first entry that CUDA does not read as written."""
    text = run.text(f"env:{_NAME}")
    if not text or not text.strip():
        return
    listed = [each.strip() for each in text.split(",")]
    if listed and listed[-1] == "":
        listed.pop()
    odd = next((each for each in listed if _DEVICE.fullmatch(each) is None), None)
    pair = _RANGE.fullmatch(odd) if odd is not None else None
    if pair is not None and int(pair[1]) < int(pair[2]):
        devices = ",".join(map(str, range(int(pair[1]), min(int(pair[2]), int(pair[1]) + 15) + 1)))
        yield run.finding(
            f"CUDA knows no ranges: of {odd} it reads device {pair[1]} alone", f"env:{_NAME}", help=f"write {devices}"
        )
    elif odd is not None:
        digits = odd[:1].isdigit()
        what = f"reads {odd!r} by its leading digits" if digits else f"ends the list of devices at {odd!r}"
        yield run.finding(f"CUDA {what}", f"env:{_NAME}", help="list device numbers with commas between them")
    elif (twice := next((each for each in listed if listed.count(each) > 1), None)) is not None and twice != "-1":
        yield run.finding(
            f"device {twice} is listed twice, with which CUDA makes no device visible",
            f"env:{_NAME}",
            help="list it once",
        )
