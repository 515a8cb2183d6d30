"""Importance weights of TRL 0.23 against log-probabilities without the temperature.

## What it checks
A colocated engine in TRL 0.23 with a temperature other than 1 and importance sampling correction, which is on by default.

## Why it matters
The engine returns log-probabilities from before the temperature, the trainer divides its own by it. The ratio of the two is
far from 1 for every token, sits at its cap, and weighs the gradient wrongly.

## Example
    trl grpo --use_vllm true --vllm_mode colocate --temperature 0.7    # trl 0.23.1

## Instead
    trl grpo --use_vllm true --vllm_mode colocate --temperature 1.0

## Fix safety
Unsafe: another temperature changes what is sampled. TRL 0.24 asks the engine for the processed ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show

_CORRECTION = "trl:vllm_importance_sampling_correction"


@rule(
    id="TR153",
    name="engine-raw-log-probabilities",
    summary="importance weights of TRL 0.23 leave the temperature out",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.23,<0.24"},
    when={"trl:use_vllm": True, "fact:trainer_kind": "grpo"},
    evidence=(
        Evidence(
            "trl 0.24.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.24.0/trl/trainer/grpo_trainer.py",
            "Makes the engine with logprobs_mode processed_logprobs; 0.23.1 does not, and has the correction on by default.",
        ),
        Evidence(
            "vllm 0.10.2: vllm/config/__init__.py",
            "https://github.com/vllm-project/vllm/blob/v0.10.2/vllm/config/__init__.py",
            "logprobs_mode is raw_logprobs by default.",
        ),
        Evidence(
            "huggingface/trl#4159",
            "https://github.com/huggingface/trl/issues/4159",
            "At a temperature other than 1 the ratios sit at their cap.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the temperature."""
    if run.flag("trl:use_vllm") is not True or run.text("fact:trainer_kind") != "grpo":
        return
    if run.text("trl:vllm_mode") != "colocate" or run.flag(_CORRECTION) is not True:
        return
    value = run.number("trl:temperature")
    if value is not None and value not in (0, 1):
        yield run.finding(
            f"the engine's log-probabilities leave the temperature {show(value)} out, and TRL 0.23 weighs tokens by them",
            ("trl:temperature", "the trainer divides by it"),
            (_CORRECTION, "weighs by the ratio"),
            help="install trl 0.24 or later, or sample at 1.0",
            changes=(SetOption("trl", "temperature", 1.0),),
        )
