"""Options of LoRA while LoRA is off.

## What it checks
A vLLM server with `--lora-modules`, `--max-lora-rank`, `--max-loras`, `--max-cpu-loras` or `--fully-sharded-loras` and without
`--enable-lora`.

## Why it matters
Without the switch vLLM drops these options. An adapter named in `--lora-modules` cannot be loaded, so that the server stops;
adapters that a trainer sends later are refused.

## Example
    vllm serve Qwen/Qwen3-8B --max-lora-rank 64

## Instead
    vllm serve Qwen/Qwen3-8B --enable-lora --max-lora-rank 64

## Fix safety
Unsafe: serving adapters takes memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_OPTIONS = ("lora_modules", "max_lora_rank", "max_loras", "max_cpu_loras", "fully_sharded_loras")


@rule(
    id="VL021",
    name="lora-options-alone",
    summary="options of LoRA without enable-lora",
    severity=Severity.WARNING,
    frameworks={"vllm": ">=0.6"},
    when={"vllm:enable_lora": False},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/engine/arg_utils.py",
            "A LoRAConfig is made only with enable_lora; otherwise its options are dropped.",
        ),
        Evidence(
            "vllm 0.19.1: vllm/v1/worker/lora_model_runner_mixin.py",
            "https://github.com/vllm-project/vllm/blob/v0.19.1/vllm/v1/worker/lora_model_runner_mixin.py",
            "Adding an adapter without it raises RuntimeError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if one of them is set."""
    if run.flag("vllm:enable_lora") is not False:
        return
    given = [name for name in _OPTIONS if run.run.setting("vllm", name) is not None]
    if not given or (given == ["fully_sharded_loras"] and run.flag("vllm:fully_sharded_loras") is not True):
        return
    loads = "lora_modules" in given
    yield run.finding(
        f"{', '.join(given)} without enable_lora: "
        + ("vLLM cannot load the adapters and stops" if loads else "vLLM drops what is said of LoRA"),
        *((f"vllm:{name}", "of LoRA") for name in given),
        "vllm:enable_lora",
        changes=(SetOption("vllm", "enable_lora", value=True),),
        severity=Severity.ERROR if loads else None,
    )
