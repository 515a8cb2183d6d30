"""Tool calls that nobody can read.

## What it checks
`--enable-auto-tool-choice` without `--tool-call-parser`, on a server or below verl.

## Why it matters
vLLM refuses to start.

## Example
    vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice

## Instead
    vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes

## Fix safety
None is offered: the parser is that of the model family.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, option


@rule(
    id="VL050",
    name="tool-parser-missing",
    summary="enable_auto_tool_choice without a tool_call_parser",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.7", "verl": ">=0.7"},
    when={anywhere("vllm", "enable_auto_tool_choice"): True},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/entrypoints/common/cli_args.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/entrypoints/common/cli_args.py",
            "validate_parsed_serve_args raises TypeError.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/entrypoints/openai/cli_args.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/entrypoints/openai/cli_args.py",
            "The same check.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the parser is missing."""
    switch, parser = option(run, "vllm", "enable_auto_tool_choice"), option(run, "vllm", "tool_call_parser")
    if (
        run.flag(switch) is True
        and run.known(parser) in (None, "")
        and run.known(parser.replace("tool_call", "tool-call")) is None
    ):
        yield run.finding(
            "enable_auto_tool_choice without tool_call_parser: vLLM refuses to start",
            (switch, "reads tool calls"),
            help="name the parser of the model family, for example hermes for Qwen",
        )
