"""The second engine with an attention backend of the first.

## What it checks
`VLLM_USE_V1=1` together with `VLLM_ATTENTION_BACKEND=XFORMERS` or another backend that only the first engine had, with vLLM 0.8 to
0.10.

## Why it matters
vLLM stops when the engine is made. Scripts from the days of vLLM 0.6 set the backend for a bug of that time, and nobody has
taken it out.

## Example
    export VLLM_USE_V1=1 VLLM_ATTENTION_BACKEND=XFORMERS

## Instead
    export VLLM_USE_V1=1

## Fix safety
None is offered: the variable is shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import generates, within

_FIRST_ONLY = ("XFORMERS", "TORCH_SDPA", "ROCM_FLASH", "BLOCKSPARSE_FLASH_ATTN")


@rule(
    id="VL028",
    name="attention-backend-refused",
    summary="VLLM_USE_V1=1 with an attention backend that only the first engine had",
    severity=Severity.ERROR,
    when={"env:VLLM_USE_V1": "1", "env:VLLM_ATTENTION_BACKEND": _FIRST_ONLY},
    evidence=(
        Evidence(
            "vllm 0.10.2: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.10.2/vllm/engine/arg_utils.py",
            "A backend outside the list is no feature of V1: with VLLM_USE_V1=1 NotImplementedError is raised.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/engine/arg_utils.py",
            "The same check.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the pair."""
    if run.text("env:VLLM_USE_V1") != "1" or run.text("env:VLLM_ATTENTION_BACKEND") not in _FIRST_ONLY:
        return
    if not generates(run, "vllm") or not within(run, "vllm", ">=0.8,<0.11"):
        return
    yield run.finding(
        f"vLLM's V1 engine has no attention backend {run.text('env:VLLM_ATTENTION_BACKEND')} before 0.11: it refuses to start",
        ("env:VLLM_ATTENTION_BACKEND", "of the first engine"),
        ("env:VLLM_USE_V1", "asks for the second"),
        help="leave VLLM_ATTENTION_BACKEND out",
    )
