"""Both training backends of NeMo-RL enabled, or none.

## What it checks
`policy.dtensor_cfg.enabled` and `policy.megatron_cfg.enabled`: exactly one of them has to be true. A configuration
that inherits from one for DTensor keeps its backend on unless it switches it off.

## Why it matters
NeMo-RL raises ValueError when it makes the policy, after the data and the Ray cluster are set up.

## Example
    policy:
      dtensor_cfg: {enabled: true}
      megatron_cfg: {enabled: true}

## Instead
    policy:
      dtensor_cfg: {enabled: false}
      megatron_cfg: {enabled: true}

## Fix safety
Unsafe: which backend is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_MEGATRON = "nemo-rl:policy.megatron_cfg.enabled"
_DTENSOR = "nemo-rl:policy.dtensor_cfg.enabled"


@rule(
    id="NR001",
    name="training-backend-not-one",
    summary="both training backends of NeMo-RL enabled, or none",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/policy/lm_policy.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/policy/lm_policy.py",
            "Policy raises ValueError if both are enabled, and if neither is.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if not exactly one is enabled."""
    megatron, dtensor = run.flag(_MEGATRON), run.flag(_DTENSOR)
    if megatron is None or dtensor is None or megatron is not dtensor:
        return
    yield run.finding(
        f"{'both of' if megatron else 'none of'} NeMo-RL's training backends {'are' if megatron else 'is'} enabled: it takes exactly one",
        (_MEGATRON, f"Megatron is {'on' if megatron else 'off'}"),
        (_DTENSOR, f"DTensor is {'on' if dtensor else 'off'}"),
        help=f"set one of them to {'false' if megatron else 'true'}",
    )
