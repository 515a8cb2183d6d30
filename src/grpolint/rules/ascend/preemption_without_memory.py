"""MindIE preempts without memory on the host.

## What it checks
`ScheduleConfig.maxPreemptCount` above 0 with `cpuMemSize: 0` in `ModelConfig`.

## Why it matters
Preempted sequences go to the host's memory; the service refuses to start without any.

## Example
    "maxPreemptCount": 10, "cpuMemSize": 0

## Instead
    "maxPreemptCount": 0, "cpuMemSize": 0

## Fix safety
Unsafe: how much memory is free is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, minimum, together

_BACKEND = "mindie:BackendConfig"


@rule(
    id="AS043",
    name="preemption-without-memory",
    summary="MindIE preempts without memory on the host",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/config_manager/config_manager_impl.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/config_manager/config_manager_impl.cpp",
            "The configuration is refused where cpuMemSize is 0 and maxPreemptCount is not.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there is no memory."""
    yield from together(
        run,
        "preempted sequences need memory on the host, and cpuMemSize is 0: the service refuses to start",
        minimum(f"{_BACKEND}.ScheduleConfig.maxPreemptCount", 1, "preempts"),
        equals(f"{_BACKEND}.ModelDeployConfig.ModelConfig.0.cpuMemSize", 0, label="GB on the host"),
        help="set cpuMemSize to 5 or more, or maxPreemptCount to 0",
    )
