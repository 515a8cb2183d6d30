"""A value that PyTorch cannot read from a TORCH_NCCL variable.

## What it checks
Variables of ProcessGroupNCCL that hold whole numbers (`TORCH_NCCL_ASYNC_ERROR_HANDLING`, `TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC`, ...) with a
value that does not begin with digits, and switches (`TORCH_NCCL_BLOCKING_WAIT`, ...) with a value that is neither true nor false.

## Why it matters
PyTorch raises "Invalid value for environment variable" when the first NCCL group is made.

## Example
    export TORCH_NCCL_ASYNC_ERROR_HANDLING=true

## Instead
    export TORCH_NCCL_ASYNC_ERROR_HANDLING=1

## Fix safety
None is offered: which number is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.regex import regex
from grpolint.rules.api import Evidence, Inquiry, above, rule

_NUMBERS = frozenset(
    f"TORCH_NCCL_{name}"
    for name in (
        "ASYNC_ERROR_HANDLING",
        "HEARTBEAT_TIMEOUT_SEC",
        "TRACE_BUFFER_SIZE",
        "WAIT_TIMEOUT_DUMP_MILSEC",
        "COORD_CHECK_MILSEC",
    )
)
_SWITCHES = frozenset(
    f"TORCH_NCCL_{name}"
    for name in ("BLOCKING_WAIT", "ENABLE_MONITORING", "DUMP_ON_TIMEOUT", "DESYNC_DEBUG", "ENABLE_TIMING")
)
_INTEGER = regex(r"\s*[-+]?\d")
_TRUTH = ("y", "yes", "1", "t", "true", "n", "no", "0", "f", "false")


@rule(
    id="EN014",
    name="torch-nccl-value-refused",
    summary="a value of a TORCH_NCCL variable that PyTorch cannot read",
    severity=Severity.ERROR,
    when={"fact:torch_nccl_variables": above(0)},
    evidence=(
        Evidence(
            "pytorch: torch/csrc/distributed/c10d/Utils.hpp",
            "https://github.com/pytorch/pytorch/blob/main/torch/csrc/distributed/c10d/Utils.hpp",
            "getCvarInt takes what std::stoi reads and getCvarBool a few words; anything else is an error.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each value that is refused."""
    for name in run.run.env:
        text = run.run.env[name].text
        if text is None:
            continue
        number = name in _NUMBERS and _INTEGER.match(text) is None
        if number or (name in _SWITCHES and text.lower() not in _TRUTH):
            wanted = "a whole number" if number else "1 or 0"
            yield run.finding(
                f"PyTorch stops on {name}={text}: it reads {wanted}",
                (f"env:{name}", "refused"),
                help=f"set {name} to {wanted}",
            )
