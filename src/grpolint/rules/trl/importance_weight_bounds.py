"""Bounds of importance weights that bound nothing.

## What it checks
`vllm_importance_sampling_clip_min` must be below `vllm_importance_sampling_clip_max`, and a mode that truncates needs
one of the two.

## Why it matters
GRPOConfig refuses both.

## Example
    GRPOConfig(vllm_importance_sampling_mode="token_truncate", vllm_importance_sampling_clip_max=None)

## Instead
    GRPOConfig(vllm_importance_sampling_mode="token_truncate", vllm_importance_sampling_clip_max=3.0)

## Fix safety
None is offered: the bound is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show

_LOW, _HIGH = "trl:vllm_importance_sampling_clip_min", "trl:vllm_importance_sampling_clip_max"
_MODE = "trl:vllm_importance_sampling_mode"


@rule(
    id="TR027",
    name="importance-weight-bounds",
    summary="bounds of vLLM importance sampling that are reversed or missing",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.6"},
    when={"trl:vllm_importance_sampling_clip_min|trl:vllm_importance_sampling_clip_max": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "Raises ValueError for both; first released in 1.6.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for reversed or for missing bounds."""
    low = run.number(_LOW)
    high = run.number("trl:vllm_importance_sampling_cap") or run.number(_HIGH)
    if low is not None and high is not None and low >= high:
        yield run.finding(
            f"vllm_importance_sampling_clip_min {show(low)} >= vllm_importance_sampling_clip_max {show(high)}: "
            "TRL refuses it",
            (_LOW, "lower bound"),
            (_HIGH, "upper bound"),
            help="make the lower bound the smaller one",
        )
    elif (
        low is None
        and high is None
        and run.is_set(_HIGH)
        and str(run.text(_MODE)).endswith("_truncate")
        and run.flag("trl:vllm_importance_sampling_correction") is True
    ):
        yield run.finding(
            f"vllm_importance_sampling_mode {run.text(_MODE)} has no bound to truncate at: TRL refuses it",
            (_MODE, "truncates"),
            (_HIGH, "no bound"),
            help="set vllm_importance_sampling_clip_max, 3.0 by default",
        )
