"""MindIE's npuDeviceIds do not match worldSize or modelInstanceNumber.

## What it checks
`npuDeviceIds` holds one list of devices for each of `modelInstanceNumber` instances, each with `worldSize` different
devices. Over several machines (`multiNodesInferEnabled`) the rank table decides instead.

## Why it matters
The service refuses to start.

## Example
    "npuDeviceIds": [[0, 1, 2, 3]], "ModelConfig": [{"worldSize": 8}]

## Instead
    "npuDeviceIds": [[0, 1, 2, 3, 4, 5, 6, 7]], "ModelConfig": [{"worldSize": 8}]

## Fix safety
Unsafe: which devices are free is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_BACKEND = "mindie:BackendConfig"
_DEPLOY = f"{_BACKEND}.ModelDeployConfig"


@rule(
    id="AS041",
    name="devices-not-world-size",
    summary="MindIE's npuDeviceIds do not match worldSize or modelInstanceNumber",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/config_manager/backend_config.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/config_manager/backend_config.cpp",
            "Refuses lists that are not as many as instances, or not as long as worldSize, and repeated devices.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the number of lists and for the first list that does not fit."""
    if run.flag(f"{_BACKEND}.multiNodesInferEnabled"):
        return
    groups, size = run.known(f"{_BACKEND}.npuDeviceIds"), run.integer(f"{_DEPLOY}.ModelConfig.0.worldSize")
    instances = run.integer(f"{_BACKEND}.modelInstanceNumber")
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        return
    place = (f"{_BACKEND}.npuDeviceIds", "devices")
    if instances is not None and len(groups) != instances:
        yield run.finding(
            f"npuDeviceIds has {len(groups)} lists for modelInstanceNumber {instances}: the service refuses to start",
            place,
            (f"{_BACKEND}.modelInstanceNumber", "instances"),
        )
    for group in groups if size is not None else ():
        if len(set(map(str, group))) != size:
            yield run.finding(
                f"{len(set(map(str, group)))} devices {group} for worldSize {size}: the service refuses to start",
                place,
                (f"{_DEPLOY}.ModelConfig.0.worldSize", "devices of an instance"),
                help=f"list {size} devices, or set worldSize to {len(set(map(str, group)))}",
            )
            return
