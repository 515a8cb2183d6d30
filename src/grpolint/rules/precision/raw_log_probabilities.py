"""Importance weights against raw log-probabilities.

## What it checks
`logprobs_mode` raw_logprobs of vLLM, which is its default and what verl before 0.7 gets, where the temperature is not 1 and verl
uses the engine's log-probabilities: importance weights, rejection, bypass mode.

## Why it matters
The trainer divides logits by the temperature, raw log-probabilities are those before it. Every ratio is wrong by what the
temperature does, and sits at its bounds for temperatures far from 1.

## Example
    actor_rollout_ref.rollout.temperature=0.6 algorithm.rollout_correction.rollout_is=token      with verl 0.6.1

## Instead
    actor_rollout_ref.rollout.temperature=1.0 algorithm.rollout_correction.rollout_is=token

## Fix safety
Unsafe: it changes what is sampled or what weights are.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.rules.engines import change, option
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_TEMPERATURE = "verl:actor_rollout_ref.rollout.temperature"
_USED = (
    "verl:algorithm.rollout_correction.rollout_is",
    "verl:algorithm.rollout_correction.rollout_rs",
    "verl:algorithm.rollout_correction.bypass_mode",
    "verl:algorithm.rollout_is",
    "verl:actor_rollout_ref.actor.tis_imp_ratio_cap",
)


@rule(
    id="PR022",
    name="raw-log-probabilities",
    summary="weights against log-probabilities that leave the temperature out",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    when={"fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "verl 0.7.0: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.7.0/verl/workers/config/rollout.py",
            "logprobs_mode is processed_logprobs from this release on.",
        ),
        Evidence(
            "vllm 0.10.2: vllm/config/__init__.py",
            "https://github.com/vllm-project/vllm/blob/v0.10.2/vllm/config/__init__.py",
            "logprobs_mode is raw_logprobs by default: before temperature and penalties.",
        ),
        Evidence(
            "huggingface/trl#4159",
            "https://github.com/huggingface/trl/issues/4159",
            "The same mistake in TRL 0.23: ratios sat at their cap of 2 for a temperature of 0.6.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if raw log-probabilities are used at another temperature."""
    value = run.number(_TEMPERATURE)
    if value is None or value in (0, 1) or run.text("fact:rollout_engine") != "vllm":
        return
    early = satisfies(run.run.settings["verl"].version.text, "<0.7")
    mode = option(run, "vllm", "logprobs_mode")
    if not (run.text(mode) == "raw_logprobs" or (early and run.known(mode) is None)):
        return
    used = next((ref for ref in _USED if run.known(ref) not in (None, False, 0, -1, "null", "")), None)
    if used is None:
        return
    yield run.finding(
        f"the engine's log-probabilities leave the temperature {show(value)} out, and {used.rpartition('.')[2]} compares with them",
        (_TEMPERATURE, "the trainer divides by it"),
        (mode, "before temperature"),
        (used, "uses them"),
        help="set the temperature to 1" if early else "",
        changes=() if early else (change(mode, "processed_logprobs"),),
    )
