"""Optimizer states in fewer than 32 bits.

## What it checks
`--main-grads-dtype`, `--main-params-dtype`, `--exp-avg-dtype` or `--exp-avg-sq-dtype` other than fp32 without
`--use-precision-aware-optimizer`.

## Why it matters
Megatron stops with an assertion when the optimizer is made, after the model has been loaded.

## Example
    --use-distributed-optimizer --exp-avg-dtype bf16

## Instead
    --use-distributed-optimizer --exp-avg-dtype bf16 --use-precision-aware-optimizer

## Fix safety
None is offered: another optimizer changes checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_STATES = ("main_grads_dtype", "main_params_dtype", "exp_avg_dtype", "exp_avg_sq_dtype")


@rule(
    id="MG060",
    name="low-precision-states-refused",
    summary="states of fewer than 32 bits need the precision-aware optimizer",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.11"},
    when={"|".join(f"megatron:{key}" for key in _STATES): SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/optimizer/optimizer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/optimizer/optimizer_config.py",
            "__post_init__ asserts that all four are fp32 unless the optimizer is precision-aware.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    aware = "megatron:use_precision_aware_optimizer"
    for key in _STATES:
        ref = f"megatron:{key}"
        kind = run.text(ref)
        if kind not in (None, "fp32") and run.flag(aware) is False:
            yield run.finding(
                f"{key.replace('_', '-')} {kind} needs the precision-aware optimizer: Megatron refuses it",
                (ref, "fewer than 32 bits"),
                (aware, "off"),
                help="add --use-precision-aware-optimizer, or keep fp32",
            )
