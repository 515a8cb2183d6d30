"""FP8 generation without importance sampling correction.

## What it checks
`policy.generation.vllm_cfg.precision: fp8` with `loss_fn.use_importance_sampling_correction: false`.

## Why it matters
NeMo-RL asserts that the correction is on: samples of an FP8 engine are off-policy for a trainer in another precision.

## Example
    uv run examples/run_grpo.py policy.generation.vllm_cfg.precision=fp8

## Instead
    uv run examples/run_grpo.py policy.generation.vllm_cfg.precision=fp8 loss_fn.use_importance_sampling_correction=true

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, off, together


@rule(
    id="NR007",
    name="fp8-generation-uncorrected",
    summary="FP8 generation without importance sampling correction",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"nemo-rl:policy.generation.vllm_cfg.precision": "fp8"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts use_importance_sampling_correction for a vLLM precision of fp8.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the correction is off."""
    if run.text("fact:rollout_engine") != "vllm":
        return
    yield from together(
        run,
        "FP8 generation without importance sampling correction: NeMo-RL refuses to train on it",
        equals("nemo-rl:policy.generation.vllm_cfg.precision", "fp8", label="generates in FP8"),
        off("nemo-rl:loss_fn.use_importance_sampling_correction", "no correction"),
        changes=(SetOption("nemo-rl", "loss_fn.use_importance_sampling_correction", True, safe=True),),
    )
