"""Fewer LoRA adapters kept than used at once.

## What it checks
`max_cpu_loras` below `max_loras`, of a vLLM server. Below verl one adapter is in a batch, whatever `engine_kwargs` says.

## Why it matters
vLLM refuses it: the adapters of one batch must all be in memory.

## Example
    vllm serve Qwen/Qwen3-8B --enable-lora --max-loras 8 --max-cpu-loras 4

## Instead
    vllm serve Qwen/Qwen3-8B --enable-lora --max-loras 8 --max-cpu-loras 8

## Fix safety
Safe: it only makes room.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.engines import change
from grpolint.rules.relations import Size, Term, at_least


@rule(
    id="VL020",
    name="fewer-adapters-kept",
    summary="max_cpu_loras is smaller than max_loras",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.6"},
    when={"vllm:max_cpu_loras": above(0)},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/lora.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/lora.py",
            "_validate_lora_config raises ValueError below max_loras.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/config.py",
            "The same check in an older release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kept = "vllm:max_cpu_loras"
    most = Size.of(run, Term("vllm:max_loras", "max_loras", "in one batch", assume=1))
    if most is None or run.flag("vllm:enable_lora") is False:
        return
    yield from at_least(
        run,
        Size.of(run, Term(kept, "max_cpu_loras", "kept in memory")),
        most,
        "vLLM keeps at least the adapters of one batch",
        changes=(change(kept, most.value, safe=True),),
    )
