"""An HCCL_EXEC_TIMEOUT that the AIV mode cuts.

## What it checks
`HCCL_EXEC_TIMEOUT` above 1091 (or 0, for no limit) together with `HCCL_OP_EXPANSION_MODE=AIV`.

## Why it matters
In this mode HCCL waits for 1091 seconds at most, whatever the variable says: a rollout or a checkpoint that keeps one rank longer ends in
a timeout.

## Example
    export HCCL_OP_EXPANSION_MODE=AIV
    export HCCL_EXEC_TIMEOUT=3600

## Instead
    export HCCL_EXEC_TIMEOUT=3600

## Fix safety
None is offered: which of the two matters is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.digits import whole
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_NAME, _MODE = "env:HCCL_EXEC_TIMEOUT", "env:HCCL_OP_EXPANSION_MODE"
_MOST = 1091


@rule(
    id="AS011",
    name="execution-timeout-cut",
    summary="HCCL_EXEC_TIMEOUT above 1091 with HCCL_OP_EXPANSION_MODE=AIV",
    severity=Severity.WARNING,
    when={_MODE: "AIV"},
    evidence=(
        Evidence(
            "CANN documentation: HCCL_EXEC_TIMEOUT",
            "https://www.hiascend.com/document/detail/zh/canncommercial/850/commlib/hcclug/hcclug_000074.html",
            "With AIV the range is 0 to 1091, and 0 and more than 1091 count as 1091.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the mode cuts it."""
    text = run.text(_NAME)
    number = whole(text or "")
    if number is not None and (number > _MOST or number == 0) and run.text(_MODE) == "AIV":
        yield run.finding(
            f"HCCL_EXEC_TIMEOUT={text} counts as {_MOST} seconds in the mode AIV",
            (_NAME, f"cut to {_MOST}"),
            (_MODE, "for this mode"),
            help="leave HCCL_OP_EXPANSION_MODE out, or expect a timeout after 1091 seconds",
        )
