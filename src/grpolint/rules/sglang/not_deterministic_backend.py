"""Deterministic inference on a backend that is not deterministic.

## What it checks
`enable_deterministic_inference` or `rl_on_policy_target` of SGLang with an `attention_backend` that is none of those that it allows,
on a server, below slime or below verl.

## Why it matters
SGLang refuses to start.

## Example
    --enable-deterministic-inference --attention-backend flashmla

## Instead
    --enable-deterministic-inference --attention-backend fa3

## Fix safety
Safe: the server does not start without it; leaving the backend out is as good.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, option, removal

_ALLOWED = ("flashinfer", "fa3", "triton", "ascend", "fa4", "intel_xpu")
"""Every backend that one of the releases allows."""


@rule(
    id="SG030",
    name="not-deterministic-backend",
    summary="deterministic inference with an attention backend that is not",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.5.3", "slime": "", "verl": ">=0.6"},
    when={
        f"{anywhere('sglang', 'enable_deterministic_inference')}|{anywhere('sglang', 'rl_on_policy_target')}": (
            True,
            "fsdp",
            "fsdp_tp",
            "megatron",
        ),
        anywhere("sglang", "attention_backend"): SET,
    },
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "_handle_deterministic_inference raises ValueError for a backend that is not flashinfer, fa3 or triton.",
        ),
        Evidence(
            "sglang 0.5.20: python/sglang/srt/arg_groups/choices.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.20/python/sglang/srt/arg_groups/choices.py",
            "The list of a later release, with fa4, ascend and intel_xpu.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the backend is not allowed."""
    switch, target = (option(run, "sglang", name) for name in ("enable_deterministic_inference", "rl_on_policy_target"))
    backend = option(run, "sglang", "attention_backend")
    asked = switch if run.flag(switch) is True else target if run.known(target) not in (None, "") else None
    if asked is None or not run.is_set(backend) or run.text(backend) in (None, "", *_ALLOWED):
        return
    yield run.finding(
        f"attention_backend {run.text(backend)} is not deterministic: SGLang refuses it",
        (backend, "not deterministic"),
        (asked, "wants determinism"),
        changes=(removal(backend, safe=True),),
    )
