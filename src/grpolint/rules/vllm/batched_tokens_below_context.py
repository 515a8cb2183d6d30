"""A token budget of a vLLM server below its context.

## What it checks
`--max-num-batched-tokens` below `--max-model-len` with chunked prefill switched off.

## Why it matters
vLLM refuses it: a prompt of full length could never be processed in one piece.

## Example
    vllm serve Qwen/Qwen3-8B --max-model-len 32768 --max-num-batched-tokens 8192 --no-enable-chunked-prefill

## Instead
    vllm serve Qwen/Qwen3-8B --max-model-len 32768 --max-num-batched-tokens 8192

## Fix safety
None is offered: a larger budget and chunked prefill are both remedies.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least


@rule(
    id="VL003",
    name="batched-tokens-below-model-length",
    summary="max-num-batched-tokens below max-model-len without chunked prefill",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.12"},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/scheduler.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/scheduler.py",
            "verify_max_model_len raises ValueError for the combination.",
        ),
    ),
    when={"vllm:enable_chunked_prefill": False},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("vllm:enable_chunked_prefill") is not False:
        return
    tokens = Size.of(run, Term("vllm:max_num_batched_tokens", "max-num-batched-tokens", "of one step"))
    context = Size.of(run, Term("vllm:max_model_len", "max-model-len", "longest sequence"))
    yield from at_least(
        run,
        tokens,
        context,
        "vLLM refuses that without chunked prefill",
        help="leave chunked prefill on, or raise max-num-batched-tokens",
    )
