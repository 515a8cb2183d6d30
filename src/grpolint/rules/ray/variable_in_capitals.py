"""A setting of Ray in capitals, which Ray does not read.

## What it checks
Variables such as `RAY_MEMORY_MONITOR_REFRESH_MS`: settings of Ray's core are read as `RAY_` and the name of the setting in lower case.

## Why it matters
The variable has no effect: the memory monitor, say, still kills workers at 95 % of the machine's memory.

## Example
    export RAY_MEMORY_MONITOR_REFRESH_MS=0

## Instead
    export RAY_memory_monitor_refresh_ms=0

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_SETTINGS = frozenset(
    (
        "memory_usage_threshold",
        "memory_monitor_refresh_ms",
        "min_memory_free_bytes",
        "task_oom_retries",
        "event_stats",
        "max_direct_call_object_size",
        "preallocate_plasma_memory",
        "grpc_enable_http_proxy",
        "scheduler_spread_threshold",
        "worker_cap_enabled",
        "record_ref_creation_sites",
        "debug_dump_period_milliseconds",
        "max_lineage_bytes",
        "max_grpc_message_size",
    )
)


@rule(
    id="RA006",
    name="ray-setting-in-capitals",
    summary="a setting of Ray in capitals, which Ray does not read",
    severity=Severity.WARNING,
    when={"fact:ray_variables": above(0)},
    evidence=(
        Evidence(
            "ray: src/ray/common/ray_config_def.h",
            "https://github.com/ray-project/ray/blob/master/src/ray/common/ray_config_def.h",
            "Lists the settings by name; each is read from RAY_ and exactly that name.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for name in run.run.env:
        setting = name.removeprefix("RAY_").lower()
        right = f"RAY_{setting}"
        if name.startswith("RAY_") and name != right and setting in _SETTINGS and right not in run.run.env:
            yield run.finding(f"Ray reads {right}, and not {name}", (f"env:{name}", "not read"), help=f"write {right}")
