"""The engine's log-probabilities for old ones, and a correction between the two.

## What it checks
`--use_vllm_logprobs` with `--use_rho_correction`, which is on by default since 0.3, or before that with
`--truncated_importance_sampling_ratio_cap` above 0.

## Why it matters
With the engine's log-probabilities as the old ones there is nothing to correct; open-instruct raises ValueError.

## Example
    python open_instruct/grpo_fast.py --use_vllm_logprobs

## Instead
    python open_instruct/grpo_fast.py --use_vllm_logprobs --use_rho_correction False

## Fix safety
Unsafe: which of the two is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="OI005",
    name="engine-log-probabilities-corrected",
    summary="the engine's log-probabilities for old ones, and a correction between the two",
    severity=Severity.ERROR,
    frameworks={"open-instruct": ">=0.1"},
    when={"open-instruct:use_vllm_logprobs": True},
    evidence=(
        Evidence(
            "open-instruct 0.3.0: open_instruct/grpo_utils.py",
            "https://github.com/allenai/open-instruct/blob/v0.3.0/open_instruct/grpo_utils.py",
            "GRPOExperimentConfig raises ValueError for both.",
        ),
        Evidence(
            "open-instruct 0.2.0: open_instruct/grpo_utils.py",
            "https://github.com/allenai/open-instruct/blob/v0.2.0/open_instruct/grpo_utils.py",
            "ExperimentConfig raises ValueError for a cap above 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a correction is on."""
    if not run.flag("open-instruct:use_vllm_logprobs"):
        return
    cap = run.number("open-instruct:truncated_importance_sampling_ratio_cap")
    corrected = run.flag("open-instruct:use_rho_correction")
    if corrected or (cap or 0) > 0:
        key = "use_rho_correction" if corrected else "truncated_importance_sampling_ratio_cap"
        yield run.finding(
            f"use_vllm_logprobs leaves nothing for {key} to correct: open-instruct refuses both",
            (f"open-instruct:{key}", "correction"),
            ("open-instruct:use_vllm_logprobs", "the engine's stand for the old ones"),
            help=f"add --{key} {'False' if corrected else '0'}, or compute the old ones",
        )
