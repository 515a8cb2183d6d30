"""A vLLM server whose sleep nobody can call.

## What it checks
`vllm serve --enable-sleep-mode` without `VLLM_SERVER_DEV_MODE=1`.

## Why it matters
The end points `/sleep` and `/wake_up` exist only in development mode; without it a trainer that calls them gets 404, and the
memory of the server is never given back.

## Example
    vllm serve Qwen/Qwen3-8B --enable-sleep-mode

## Instead
    VLLM_SERVER_DEV_MODE=1 vllm serve Qwen/Qwen3-8B --enable-sleep-mode

## Fix safety
Unsafe: development end points are open to everyone who reaches the port.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import AddEnv
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_VARIABLE = "VLLM_SERVER_DEV_MODE"


@rule(
    id="VL034",
    name="sleep-unreachable",
    summary="a server that can sleep and cannot be told to",
    severity=Severity.WARNING,
    frameworks={"vllm": ">=0.7"},
    when={"vllm:enable_sleep_mode": True},
    evidence=(
        Evidence(
            "vllm-project/vllm#22310",
            "https://github.com/vllm-project/vllm/pull/22310",
            "The guide to sleep mode: the end points need VLLM_SERVER_DEV_MODE=1.",
        ),
        Evidence(
            "vllm 0.33.0: vllm/envs.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/envs.py",
            "VLLM_SERVER_DEV_MODE is off by default and adds the development end points.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the end points are missing."""
    if run.run.trainer != "vllm" or run.run.launch is None or run.flag("vllm:enable_sleep_mode") is not True:
        return
    if run.flag(f"env:{_VARIABLE}") is True:
        return
    yield run.finding(
        f"the server can sleep, but without {_VARIABLE}=1 it has no end point for it",
        ("vllm:enable_sleep_mode", "sleep mode"),
        f"env:{_VARIABLE}",
        changes=(AddEnv(_VARIABLE, "1"),),
    )
