"""A parser of tool calls that is never asked.

## What it checks
`--tool-call-parser` of a vLLM server without `--enable-auto-tool-choice`.

## Why it matters
Requests with automatic tool choice, which is the default of clients that send tools, are refused with status 400.

## Example
    vllm serve Qwen/Qwen3-8B --tool-call-parser hermes

## Instead
    vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes

## Fix safety
Unsafe: it changes how answers are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="VL051",
    name="tool-parser-unused",
    summary="a tool_call_parser without enable_auto_tool_choice",
    severity=Severity.WARNING,
    frameworks={"vllm": ">=0.7"},
    when={"vllm:tool_call_parser": SET},
    evidence=(
        Evidence(
            "vllm 0.8.5: vllm/entrypoints/openai/cli_args.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/entrypoints/openai/cli_args.py",
            "The parser is for requests with automatic tool choice, which the switch allows.",
        ),
        Evidence(
            "vllm-project/vllm#9986",
            "https://github.com/vllm-project/vllm/issues/9986",
            "A request with automatic tool choice is answered with 400 unless both options are given.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the switch is off."""
    if run.known("vllm:tool_call_parser") in (None, "") or run.flag("vllm:enable_auto_tool_choice") is not False:
        return
    yield run.finding(
        "tool_call_parser without enable_auto_tool_choice: requests with tools are refused",
        ("vllm:tool_call_parser", "never asked"),
        "vllm:enable_auto_tool_choice",
        changes=(SetOption("vllm", "enable_auto_tool_choice", value=True),),
    )
