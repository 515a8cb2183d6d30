"""A key of vLLM's additional_config that vllm-ascend ignores.

## What it checks
On an Ascend NPU vLLM hands `additional_config` to vllm-ascend, which fetches the keys it knows and looks at no others.

## Why it matters
A misspelt or removed key has no effect and nothing says so: the graph mode or the scheduler stays as it was.

## Example
    vllm serve Qwen/Qwen3-8B --additional-config '{"xlite_graph_confg": {"enabled": true}}'

## Instead
    vllm serve Qwen/Qwen3-8B --additional-config '{"xlite_graph_config": {"enabled": true}}'

## Fix safety
None is offered: the value takes effect from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="AS001",
    name="ignored-additional-config",
    summary="a key of additional_config that vllm-ascend ignores",
    severity=Severity.WARNING,
    evidence=(
        Evidence(
            "vllm-ascend 0.23.0: vllm_ascend/ascend_config.py",
            "https://github.com/vllm-project/vllm-ascend/blob/v0.23.0/vllm_ascend/ascend_config.py",
            "Options are fetched one by one from the dictionary; nothing looks at the keys that are left.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each ignored key."""
    for each in run.run.complaints:
        if each.framework == "vllm-ascend" and each.kind == "unknown-key":
            meant = each.suggestion
            yield run.finding(
                each.detail,
                *((Label(each.span, f"did you mean {meant}?" if meant else "read by nothing"),) if each.span else ()),
                help=f"write {meant} instead of {each.key}" if meant else f"remove {each.key}",
            )
