"""A value of HCCL_CONNECT_TIMEOUT out of its bounds.

## What it checks
`HCCL_CONNECT_TIMEOUT` below 120 or above 7200, or no whole number.

## Why it matters
HCCL takes whole seconds from 120 to 7200 and refuses others when the first communicator is made.

## Example
    export HCCL_CONNECT_TIMEOUT=36000

## Instead
    export HCCL_CONNECT_TIMEOUT=7200

## Fix safety
None is offered: how long devices may wait for each other is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.digits import whole
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NAME = "env:HCCL_CONNECT_TIMEOUT"
_BOUNDS = (120, 7200)


@rule(
    id="AS010",
    name="connect-timeout-out-of-bounds",
    summary="HCCL_CONNECT_TIMEOUT below 120 or above 7200",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    when={_NAME: SET},
    evidence=(
        Evidence(
            "CANN documentation: HCCL_CONNECT_TIMEOUT",
            "https://www.hiascend.com/document/detail/zh/canncommercial/850/maintenref/envvar/envref_07_0149.html",
            "A whole number of seconds from 120 to 7200, 120 by default.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is out of bounds."""
    text = run.text(_NAME)
    low, high = _BOUNDS
    number = whole(text or "")
    if text and not (number is not None and low <= number <= high):
        yield run.finding(
            f"HCCL_CONNECT_TIMEOUT is {text} and must be a whole number from {low} to {high}",
            (_NAME, "out of bounds"),
            help=f"set {high if number is not None and number > high else low}",
        )
