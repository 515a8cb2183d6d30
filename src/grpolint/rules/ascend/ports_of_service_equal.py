"""MindIE's endpoint and its machines use one port.

## What it checks
`ServerConfig.port` against `BackendConfig.multiNodesInferPort`.

## Why it matters
The service refuses to start.

## Example
    "port": 1120, "multiNodesInferPort": 1120

## Instead
    "port": 1025, "multiNodesInferPort": 1120

## Fix safety
Unsafe: clients have to be told of another port.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="AS045",
    name="ports-of-service-equal",
    summary="MindIE's endpoint and its machines use one port",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/config_manager/config_manager_impl.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/config_manager/config_manager_impl.cpp",
            "The configuration is refused where both are equal.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are the same."""
    port, other = run.integer("mindie:ServerConfig.port"), run.integer("mindie:BackendConfig.multiNodesInferPort")
    if port is None or port != other:
        return
    yield run.finding(
        f"port {port} is multiNodesInferPort too: the service refuses to start",
        ("mindie:ServerConfig.port", "for clients"),
        ("mindie:BackendConfig.multiNodesInferPort", "between machines"),
    )
