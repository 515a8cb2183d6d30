"""Options of vLLM where Transformers generates.

## What it checks
Options `vllm_...` of GRPO or RLOO are set while `use_vllm` is off.

## Why it matters
Generation falls back to the model itself, which is many times slower, and nothing says so.

## Example
    GRPOConfig(vllm_mode="colocate", vllm_gpu_memory_utilization=0.3)

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.3)

## Fix safety
Unsafe: it changes what generates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule

_TELLING = (
    "vllm_mode",
    "vllm_gpu_memory_utilization",
    "vllm_tensor_parallel_size",
    "vllm_server_host",
    "vllm_server_base_url",
    "vllm_max_model_length",
    "vllm_enable_sleep_mode",
    "vllm_device",
)


@rule(
    id="TR024",
    name="engine-options-without-engine",
    summary="options of vLLM without use_vllm",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.18"},
    when={"trl:use_vllm": False},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Everything of vLLM is set up only if use_vllm is on, which is off by default in every release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the first of several such options."""
    if run.known("fact:group_relative") is not True or "unsloth" in run.run.settings:
        raise NotApplicable
    given = [key for key in _TELLING if run.is_set(f"trl:{key}")]
    if not given or run.flag("trl:use_vllm") is not False or run.is_set("trl:use_vllm"):
        return
    yield run.finding(
        f"{given[0]} is set and use_vllm is not: Transformers generates",
        (f"trl:{given[0]}", "ignored"),
        "trl:use_vllm",
        changes=(SetOption("trl", "use_vllm", value=True),),
    )
