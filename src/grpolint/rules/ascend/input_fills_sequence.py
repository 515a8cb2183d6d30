"""MindIE's longest input leaves no room in the sequence.

## What it checks
`ModelDeployConfig.maxInputTokenLen` against `maxSeqLen`, which input and output share.

## Why it matters
MindIE takes maxSeqLen - 1 for the longest input instead: longer ones are refused or cut although the configuration
allows them, and those of that length get a single token.

## Example
    "maxSeqLen": 4096, "maxInputTokenLen": 8192

## Instead
    "maxSeqLen": 12288, "maxInputTokenLen": 8192

## Fix safety
Unsafe: longer sequences take more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_BACKEND = "mindie:BackendConfig"
_DEPLOY = f"{_BACKEND}.ModelDeployConfig"


@rule(
    id="AS044",
    name="input-fills-sequence",
    summary="MindIE's longest input leaves no room in the sequence",
    severity=Severity.WARNING,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/llm_manager_v2/impl/llm_manager_impl.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/llm_manager_v2/impl/llm_manager_impl.cpp",
            "The length that inputs are cut to is the smaller of maxInputTokenLen and maxSeqLen - 1.",
        ),
        Evidence(
            "MindIE 3.0.0: docs/zh/user_guide/user_manual/service_parameter_configuration.md",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/docs/zh/user_guide/user_manual/service_parameter_configuration.md",
            "Says the same of maxInputTokenLen.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers if the input fills the sequence."""
    whole, longest = run.integer(f"{_DEPLOY}.maxSeqLen"), run.integer(f"{_DEPLOY}.maxInputTokenLen")
    if whole is None or longest is None or longest < whole:
        return
    yield run.finding(
        f"MindIE changes maxInputTokenLen from {longest} to maxSeqLen {whole} - 1 = {whole - 1}",
        (f"{_DEPLOY}.maxInputTokenLen", "longest input"),
        (f"{_DEPLOY}.maxSeqLen", "input and output"),
        help="raise maxSeqLen to the longest input and output together",
    )
