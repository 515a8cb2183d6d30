"""float16 for a model that does not stand it.

## What it checks
`dtype` float16 (half) of vLLM from 0.9.1 on, also below a trainer, with a Gemma 2 or Gemma 3 model.

## Why it matters
vLLM refuses it: activations of these models overflow in float16.

## Example
    vllm serve google/gemma-3-12b-it --dtype half

## Instead
    vllm serve google/gemma-3-12b-it --dtype bfloat16

## Fix safety
Unsafe: it changes the type of computation, and the trainer should use the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import change, generates, option, within

_HALF = ("float16", "half", "fp16")
_UNSTABLE = ("gemma-2-", "gemma-3-4b", "gemma-3-12b", "gemma-3-27b")
"""Gemma 3 with text alone (1b, 270m) is another type, which the first releases with the list do not have in it."""


@rule(
    id="VL033",
    name="half-precision-unstable",
    summary="float16 in vLLM for a model that overflows in it",
    severity=Severity.ERROR,
    when={"fact:rollout_dtype": _HALF},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/model.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/model.py",
            "_check_valid_dtype raises ValueError for Gemma 2, Gemma 3 and GLM-4-0414.",
        ),
        Evidence(
            "vllm 0.9.1: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.9.1/vllm/config.py",
            "The list with Gemma 2, Gemma 3 and PLaMo 2 in the first release that has it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not generates(run, "vllm") or run.text("fact:rollout_dtype") not in _HALF:
        return
    model = (run.text("fact:model") or "").lower()
    if any(name in model for name in _UNSTABLE) and within(run, "vllm", ">=0.9.1"):
        ref = option(run, "vllm", "dtype")
        yield run.finding(
            f"vLLM refuses float16 for {run.text('fact:model')}, whose activations overflow in it",
            ("fact:rollout_dtype", "float16"),
            ("fact:model", "needs bfloat16"),
            changes=(change(ref, "bfloat16"),),
        )
